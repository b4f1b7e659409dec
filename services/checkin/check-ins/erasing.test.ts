import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { pseudonymOf } from '@gatehouse/proto/privacy/blanking.ts'
import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { serveResource } from '@gatehouse/proto/serving/serving.ts'
import { openStore, type Store } from '@gatehouse/proto/storage/mongo.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { AccesspointStore } from '../accesspoints/store.ts'
import { EventTotals } from '../counting/event-totals.ts'
import { LateChanges } from '../counting/late-changes.ts'
import { SegmentStore } from '../counting/segments.ts'
import { Ledger } from '../door/ledger.ts'
import { EntryReports } from '../entries/reports.ts'
import { personalData } from '../resources.ts'
import { checkInErasure } from './erasing.ts'
import { personalCheckIns } from './resource.ts'
import { type CheckIn, CheckInStore } from './store.ts'

const MINUTE_MS = 60_000
const KEY = 'key'
const EVENT = 'event'

describe('an erasure of check-ins, with a clock that the test moves', () => {
  let system: System
  let store: Store
  let ledger: Ledger
  let checkIns: CheckInStore
  let made = 0

  const newTotals = () => {
    const [segments, accesspoints] = [new SegmentStore(store.db, 5), new AccesspointStore(store.db)]
    return new EventTotals(segments, new LateChanges(store.db), accesspoints, system.bus)
  }

  beforeAll(async () => {
    system = await startSystem({ checkins: 0 })
    store = await openStore(inject('mongodbUrl'), system.namespace, 'checkin')
    ledger = new Ledger(inject('redisUrl'), system.namespace, makeLog('', 'silent'))
    await ledger.connect()
    checkIns = new CheckInStore(store.db)
    const lateChanges = new LateChanges(store.db)
    await Promise.all([checkIns.prepare(), lateChanges.prepare(), new SegmentStore(store.db).prepare()])
    // Nobody listens to them here.
    const reports = new EntryReports(
      store.db,
      checkIns,
      { note_entries: async () => ({}) } as never,
      makeLog('', 'silent'),
    )
    const erasure = checkInErasure(lateChanges, newTotals(), ledger, reports)
    const handlers = personalDataHandlers(store.db, [personalCheckIns], { [personalCheckIns.name]: erasure })
    serveResource(system.bus, personalData, handlers)
    await system.bus.subscribed()
  })
  afterAll(async () => {
    await ledger.close()
    await system.stop()
    await store.close()
  })
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 4, 1, 8) })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const erase = (guest_uid: string) => {
    const person = { guest_ids: [], guest_uids: [guest_uid], emails: [] }
    const body = { account_id: 'account', event_id: EVENT, with_account: false, person, key: KEY }
    return clientOf(system.bus, personalData).erase({ body })
  }
  const checkIn = (guest_uid: string, slot: number): CheckIn => {
    const now = new Date()
    const place = { event_id: EVENT, accesspoint_id: 'door', guest_uid }
    return { _id: `${made++}`, ...place, access_status: 0, slot, access_stamp: now, created_at: now, updated_at: now }
  }
  const segments = async () => JSON.stringify(await store.db.collection('check_in_segments').find().toArray())

  test('leaves its uid in no stored sum, and every count as it was, in all processes', async () => {
    for (let n = 0; n < 12; n++) {
      vi.setSystemTime(Date.now() + 1_000)
      await checkIns.insert([checkIn(`guest ${n % 4}`, n)])
    }
    vi.setSystemTime(Date.now() + 10 * MINUTE_MS)
    const other = newTotals()
    const before = await other.sums(EVENT, false)
    expect(await segments()).toContain('guest 1')
    vi.setSystemTime(Date.now() + 1_000)

    expect(await erase('guest 1')).toEqual({ is_done: true })
    expect(await segments()).not.toContain('guest 1')
    expect(await segments()).toContain(pseudonymOf('guest 1', KEY))
    expect(await other.sums(EVENT, false)).toEqual(before)
    expect(await newTotals().sums(EVENT, false)).toEqual(before)
  })

  test('of a scan that took a slot meanwhile keeps it beside the one of the same number, and Redis forgets the uid', async () => {
    const ada = { accesspoint_id: 'door', guest_uid: 'ada' }
    await ledger.claim(EVENT, [ada])
    await checkIns.insert([checkIn('ada', 1)])
    await erase('ada')
    await checkIns.insert([checkIn('ada', 1)])
    await erase('ada')
    expect((await ledger.claim(EVENT, [ada]))?.isNew).toEqual([true])
    const uid = pseudonymOf('ada', KEY)
    expect((await checkIns.taken(EVENT, 'door', [uid])).get(uid)?.moves.length).toBe(2)
    expect((await checkIns.taken(EVENT, 'door', ['ada'])).size).toBe(0)
  })
})
