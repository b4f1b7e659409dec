import { UTC_DAYS } from '@gatehouse/door/event-day.ts'
// @module-tag slow
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { expect, inject, test } from 'vitest'
import { type CheckIn, CheckInStore } from '../check-ins/store.ts'
import { ReportWindow } from '../entries/reports.ts'
import type { CheckInPublisher } from '../publishing/publisher.ts'
import type { AccessCache } from './access-cache.ts'
import { Door } from './door.ts'
import { FullAreas } from './full-areas.ts'
import { type GuestAtPoint, Ledger } from './ledger.ts'

/** A check-in store whose first insert never ends. */
class HangingStore extends CheckInStore {
  hangs = true

  override insert(checkIns: CheckIn[]): ReturnType<CheckInStore['insert']> {
    if (!this.hangs) return super.insert(checkIns)
    this.hangs = false
    return new Promise(() => {})
  }
}

/** A check-in store where inserts of batches wait for `free`. */
class SlowStore extends CheckInStore {
  readonly free = Promise.withResolvers<void>()

  override async insert(checkIns: CheckIn[]): ReturnType<CheckInStore['insert']> {
    if (checkIns.some(({ guest_uid }) => guest_uid.startsWith('batch'))) await this.free.promise
    return super.insert(checkIns)
  }
}

const fullAreas = new FullAreas({ inside: async () => new Map() })
const unwanted: Pick<CheckInPublisher, 'windowAt'> = { windowAt: () => undefined }
const unreported = {
  windowAt: () =>
    new ReportWindow(
      {} as never,
      Promise.resolve(),
      () => {},
      () => true,
    ),
}

/** A cache in which every guest may enter once, and nothing changes. */
function everybody(ledger: Ledger): AccessCache {
  const rights = {
    accesspoints: new Set(['door']),
    links: new Map([['door', new Map([['all', { max_allowed_accesses: 1 }]])]]),
    gaps: new Set<string>(),
    capacities: new Map<string, number>(),
    exits: new Set<string>(),
    areaOf: new Map<string, string>(),
    day: UTC_DAYS,
  }
  return {
    rightsOf: async () => rights,
    guestsOf: async (_event: string, uids: string[]) =>
      uids.map(() => ({ guest_category_id: 'all', access_privileges: [] })),
    claim: async (event: string, scans: GuestAtPoint[]) => (await ledger.claim(event, scans))?.isNew,
    holds: () => true,
  } as unknown as AccessCache
}

const scanOf = (_id: string, guest_uid: string) => ({
  persons: 1,
  _id,
  event_id: 'event',
  accesspoint_id: 'door',
  guest_uid,
  access_stamp: undefined,
})

test('single scans do not wait for flushes of batches, however many of those are under way or waiting', async () => {
  const log = makeLog('door', 'silent')
  const database = await openStore(inject('mongodbUrl'), `slow-${process.pid}`, 'checkin')
  const store = new SlowStore(database.db)
  const ledger = new Ledger(inject('redisUrl'), `slow-${process.pid}`, log)
  try {
    await store.prepare()
    await ledger.connect()
    const door = new Door(everybody(ledger), store, unwanted, unreported, fullAreas, log)
    const batches = Array.from({ length: 3 }, (_, batch) =>
      door.enter(
        'event',
        Array.from({ length: 600 }, (_, n) => scanOf(`${batch} ${n}`, `batch ${batch} ${n}`)),
        true,
      ),
    )
    for (const uid of ['ada', 'bob'])
      expect(await door.enter('event', [scanOf(uid, uid)])).toMatchObject([{ checkIn: { access_status: 0 } }])
    store.free.resolve()
    for (const outcomes of await Promise.all(batches)) expect(outcomes).toHaveLength(600)
  } finally {
    store.free.resolve()
    await database.db.dropDatabase()
    await ledger.close()
    await database.close()
  }
})

test('the scans of a hanging flush get 503, and later scans are decided', async () => {
  const log = makeLog('door', 'silent')
  const database = await openStore(inject('mongodbUrl'), `hanging-${process.pid}`, 'checkin')
  const store = new HangingStore(database.db)
  const ledger = new Ledger(inject('redisUrl'), `hanging-${process.pid}`, log)
  try {
    await store.prepare()
    await ledger.connect()
    const door = new Door(everybody(ledger), store, unwanted, unreported, fullAreas, log, 5_000)
    const enter = (_id: string) => door.enter('event', [scanOf(_id, 'ada')])
    await expect(enter('first')).rejects.toMatchObject({ code: 'unavailable' })
    // The ledger has seen the guest and the store has not.
    expect(await enter('second')).toMatchObject([{ checkIn: { access_status: 0 } }])
    expect(await enter('third')).toMatchObject([{ checkIn: { access_status: 3 } }])
  } finally {
    await database.db.dropDatabase()
    await ledger.close()
    await database.close()
  }
})
