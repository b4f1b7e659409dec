import type { Use } from '@gatehouse/door/decision.ts'
import { eventDay, UTC_DAYS } from '@gatehouse/door/event-day.ts'
import 'fake-indexeddb/auto'
import type { KnownGuest } from '@gatehouse/door/snapshot.ts'
import { type SnapshotHead, SnapshotWriter } from '@gatehouse/door/snapshot-writing.ts'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GuestList } from '../src/offline/guest-list.ts'
import { concluded } from '../src/scanning/answers.ts'
import type { StoredScan } from '../src/scanning/scan.ts'
import type { ServerClient } from '../src/server/server.ts'
import type { StoredDevice } from '../src/storage/database.ts'
import { type Database, openDatabase } from '../src/storage/database.ts'
import { replaceDevice } from '../src/storage/device.ts'
import { ScanStore } from '../src/storage/scans.ts'
import { seal } from '../src/storage/sealed.ts'
import { replaceSnapshot } from '../src/storage/snapshots.ts'
import { continueTicks, tick } from '../src/storage/ticks.ts'

const HOUR = 3_600_000
const device = { _id: 'device', event_id: 'event', token: 'token' } as StoredDevice

let database: Database
let store: ScanStore
/** How often the server has let the guest in, who may enter `limit` times. */
let uses: number
/** What the list has of the guest besides. */
let details: Partial<KnownGuest>
let limit: number
let period: 'day' | undefined

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.useFakeTimers({ toFake: ['Date'] })
  database = await openDatabase()
  store = new ScanStore(database)
  await replaceDevice(database, device)
  uses = 0
  details = {}
  limit = 1
  period = undefined
})
afterEach(() => void vi.useRealTimers())

let cursor = 0
const server = {
  snapshot: async (since?: string) => {
    const head: SnapshotHead = {
      event_id: 'event',
      cursor: String(++cursor),
      made_at: '',
      salt: 'salt',
      accesspoints: new Map([['door', { name: 'Door' }]]),
      areas: new Map(),
      exits: new Set(),
      areaOf: new Map(),
      day: UTC_DAYS,
      fields: new Map([['seat', { label: 'Seat' }]]),
      categories: new Map([['vip', { name: 'VIP' }]]),
      links: new Map([['door', new Map([['vip', { max_allowed_accesses: limit, ...(period && { period }) }]])]]),
    }
    const writer = new SnapshotWriter(head)
    const guest = { guest_category_id: 'vip', access_privileges: [], ...details }
    const use: Use = period ? ['door', uses, eventDay(Date.now(), UTC_DAYS)] : ['door', uses]
    writer.add(await hashUid('salt', 'ada'), guest, uses ? [use] : [])
    return writer.finish(since === undefined ? 'whole' : 'difference')
  },
} as unknown as ServerClient

/** What a window of the app knows after it was opened. */
const opened = async (): Promise<GuestList> => {
  await continueTicks(database)
  const guestList = new GuestList({ event_id: 'event', token: 'token', database, store, server })
  await guestList.load()
  return guestList
}
const decided = async (guestList: GuestList) => (await guestList.decide('door', 'ada', Date.now()))?.status
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms)
/** The server lets the guest in, and the device hears of it. */
const letIn = async (): Promise<StoredScan> => {
  const access_stamp = new Date().toISOString()
  const at = { accesspoint_id: 'door', device_id: 'device', access_stamp }
  const scan = await store.add({ ...at, guest_uid: 'ada', decided_offline: null } as StoredScan)
  uses++
  const answered = concluded(scan, { guest_uid: 'ada', access_status: 0, check_in_id: 'check-in' })
  await store.put([answered])
  return answered
}

test('killed after the last update and opened again without a network, a device knows whom it has let in', async () => {
  const guestList = await opened()
  await guestList.update()
  wait(1_000)
  await letIn()
  wait(20_000)
  await guestList.update()
  expect(await decided(guestList)).toBe(3)
  expect(await decided(await opened())).toBe(3)
})

test('a scan in the moment in which the app opens waits for what the device knew, and the server is asked for the difference from that', async () => {
  await (await opened()).update()
  const asked: (string | undefined)[] = []
  const asking = {
    snapshot: (since?: string) => {
      asked.push(since)
      return server.snapshot(since, new AbortController().signal)
    },
  } as unknown as ServerClient
  const guestList = new GuestList({ event_id: 'event', token: 'token', database, store, server: asking })
  void guestList.load()
  const [status] = await Promise.all([decided(guestList), guestList.update()])
  expect([status, asked]).toEqual([0, [String(cursor - 1)]])
})

test('what a device forgets while it reads that is not known afterwards', async () => {
  await (await opened()).update()
  const guestList = new GuestList({ event_id: 'event', token: 'token', database, store, server })
  await Promise.all([guestList.load(), guestList.forget()])
  expect(await decided(guestList)).toBeUndefined()
})

test('a window that was asleep knows whom another one has let in, also after that one has forgotten the scan', async () => {
  const asleep = await opened()
  await asleep.update()
  await letIn()
  wait(1_000)
  await (await opened()).update()
  expect(await database.count('scans')).toBe(0)
  expect(await decided(asleep)).toBe(3)
})

test('a clock that is put back or forward loses no entry and counts none twice', async () => {
  limit = 2
  for (const jump of [-HOUR, HOUR]) {
    uses = 0
    const guestList = await opened()
    await guestList.update()
    await letIn()
    wait(jump)
    await guestList.update()
    expect([jump, await decided(guestList)]).toEqual([jump, 0])
    wait(-jump)
    await letIn()
    expect([jump, await decided(guestList)]).toEqual([jump, 3])
  }
})

test('an undone entry that the list does not count any more is not taken off it: the guest enters once', async () => {
  const guestList = await opened()
  await guestList.update()
  await letIn()
  wait(1_000)
  await guestList.update()
  const [scan] = await database.getAll('scans')
  await store.undo(scan ?? expect.fail('no scan'))
  expect(await decided(guestList)).toBe(0)
  // The server has deleted the check-in, but its answer was lost.
  uses--
  wait(1_000)
  await guestList.update()
  expect(await decided(guestList)).toBe(0)
  const again = { accesspoint_id: 'door', guest_uid: 'ada', decided_offline: 0, state: 'waiting', concluded_at: null }
  await store.add(again as StoredScan)
  expect(await decided(guestList)).toBe(3)
})

test('opened again with a clock that was put back, a device goes on after what it has kept', async () => {
  const concluded_at = Date.now() + HOUR
  await store.add({ state: 'confirmed', concluded_at } as StoredScan)
  await continueTicks(database)
  expect(tick()).toBeGreaterThan(concluded_at)
  const asked_at = concluded_at + HOUR
  await replaceSnapshot(database, 'token', { event_id: 'event', asked_at, sealed: await seal('') })
  await continueTicks(database)
  expect(tick()).toBeGreaterThan(asked_at)
})

test('who stops asking, or forgets, does not wait for a guest list that is still on its way', async () => {
  for (const end of ['stop', 'forget'] as const) {
    const asked: AbortSignal[] = []
    const slow = {
      snapshot: (_: string | undefined, signal: AbortSignal) => {
        asked.push(signal)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    } as unknown as ServerClient
    const parts = { event_id: 'event', token: 'token', database, store }
    const guestList = new GuestList({ ...parts, server: slow })
    const updating = expect(guestList.update()).rejects.toThrow()
    await expect.poll(() => asked.length).toBe(1)
    await guestList[end]()
    await updating
    await new GuestList({ ...parts, server }).update()
  }
})

test('a decision has the note and the fields, granted or refused; the search has them too, and when this device let the guest in', async () => {
  details = {
    first_name: 'Ada',
    company_name: 'Acme',
    position: 'Engineer',
    message: 'Call the host',
    guest_metadata: [{ name: 'seat', value: 'A1' }],
  }
  const guestList = await opened()
  await guestList.update()
  const shown = { message: 'Call the host', fields: [{ label: 'Seat', value: 'A1' }] }
  const listed = { name: 'Ada', category: 'VIP', company: 'Acme', position: 'Engineer', ...shown }
  expect(await guestList.search('acme engin', 20)).toMatchObject([{ ...listed, isIn: false, checked_in_at: undefined }])
  expect(await guestList.decide('door', 'ada', Date.now())).toMatchObject({ status: 0, ...shown })
  const access_stamp = new Date().toISOString()
  const scan = { accesspoint_id: 'door', guest_uid: 'ada', decided_offline: 0, access_status: null, access_stamp }
  await store.add({ ...scan, state: 'waiting', concluded_at: null, ...shown } as unknown as StoredScan)
  expect(await guestList.decide('door', 'ada', Date.now())).toMatchObject({ status: 3, ...shown })
  expect(await guestList.search('ada', 20)).toMatchObject([{ isIn: true, checked_in_at: access_stamp }])
  for (const secret of ['Call the host', 'A1'])
    expect(JSON.stringify(await database.getAll('scans'))).not.toContain(secret)
})

test('guests without a name are listed by their company', async () => {
  details = { company_name: 'Acme' }
  const guestList = await opened()
  await guestList.update()
  expect(await guestList.search('acme', 20)).toMatchObject([{ name: 'Acme' }])
})

test.each(['day', undefined] as const)(
  'whose entry was undone may enter again by a list that still counts it, with an allowance for each day (%j), and once only',
  async (each) => {
    period = each
    const guestList = await opened()
    const scan = await letIn()
    wait(1_000)
    await guestList.update()
    expect(await decided(guestList)).toBe(3)
    await store.undo(scan)
    expect(await decided(guestList)).toBe(0)
    await letIn()
    expect(await decided(guestList)).toBe(3)
  },
)
