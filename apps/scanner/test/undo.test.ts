import 'fake-indexeddb/auto'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, test, vi } from 'vitest'
import { GatehouseError } from '../../../clients/typescript/client.ts'
import { UndoQueue } from '../src/queue/undo-queue.ts'
import { concluded } from '../src/scanning/answers.ts'
import { RecentScans } from '../src/scanning/recent-scans.ts'
import type { Status, StoredScan } from '../src/scanning/scan.ts'
import type { ServerClient } from '../src/server/server.ts'
import { openDatabase } from '../src/storage/database.ts'
import { ScanStore } from '../src/storage/scans.ts'
import { tick } from '../src/storage/ticks.ts'

const MINUTE = 60_000

let store: ScanStore
beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  store = new ScanStore(await openDatabase())
})

const newScan = (fields: Partial<StoredScan> = {}): Promise<StoredScan> =>
  store.add({
    device_id: 'device',
    accesspoint_id: 'door',
    guest_uid: 'ada',
    access_stamp: new Date().toISOString(),
    is_asked: false,
    decided_offline: 0,
    state: 'waiting',
    access_status: null,
    concluded_at: null,
    problem: null,
    ...fields,
  } as StoredScan)
const answered = (scan: StoredScan, access_status: Status = 0) =>
  store.put([concluded(scan, { guest_uid: 'ada', access_status, check_in_id: 'check-in' })])
const kept = async (): Promise<StoredScan | undefined> => (await store.recent('device', 1))[0]
const ada = { given: 'ada', hash: 'hash', isGuest: async () => false }
const grants = async (askedAt: number): Promise<number> => {
  const { granted, undone } = await store.grantsSince(['door'], ada, askedAt)
  return granted.length - undone.length
}

/** Runs the queue against a server that answers so. Returns which check-ins it was asked to delete, and what the queue says. */
async function sent(error?: GatehouseError) {
  const deleted: string[] = []
  const ends: (string | null)[] = []
  const server = {
    deleteCheckIn: async (id: string) => {
      deleted.push(id)
      if (error) throw error
    },
  } as unknown as ServerClient
  const queue = new UndoQueue({ device_id: 'device', store, server, ended: (_, problem) => ends.push(problem) })
  return { isAnswered: await queue.sendAll(), deleted, ends }
}

test('a scan that was never sent is withdrawn, and no request for it begins after that', async () => {
  const scan = await newScan()
  expect(await store.undo(scan)).toBe(false)
  expect(await store.claim([scan])).toEqual([])
  await answered(scan)
  expect([await kept(), await grants(0), await store.hasLetIn('door', 'ada')]).toEqual([undefined, 0, false])
})

test.each([
  ['asked for', true],
  ['sent in a batch', false],
])('a scan that was %s, though not answered, goes up again, and its check-in is deleted then', async (_, is_asked) => {
  const scan = await newScan({ is_asked })
  if (!is_asked) await store.claim([scan])
  expect(await store.undo(scan)).toBe(true)
  expect(await store.waitingOf('device', 1)).toHaveLength(1)
  expect((await sent()).deleted).toEqual([])
  // The uploader has read it before the steward has undone it.
  await answered(scan)
  expect(await sent()).toEqual({ isAnswered: true, deleted: ['check-in'], ends: [null] })
  expect(await kept()).toMatchObject({ state: 'undone' })
})

test('where the server has let nobody in there is nothing to delete', async () => {
  const scan = await newScan({ is_asked: true })
  await store.undo(scan)
  await answered(scan, 3)
  expect((await sent()).deleted).toEqual([])
  expect(await kept()).toMatchObject({ state: 'undone' })
})

test('a scan that is not kept any more since a snapshot includes it can be undone from the list', async () => {
  const scan = concluded(await newScan(), { guest_uid: 'ada', access_status: 0, check_in_id: 'check-in' })
  await store.put([scan])
  await store.prune(tick() + 1)
  expect(await kept()).toBeUndefined()
  expect(await store.undo(scan)).toBe(true)
  expect((await sent()).deleted).toEqual(['check-in'])
})

test('a guest whose entry was undone may enter again by this device’s list, which counts the entry until it hears of that', async () => {
  const scan = await newScan()
  await answered(scan)
  const before = 0
  const after = tick() + 1
  expect([await grants(before), await grants(after)]).toEqual([1, 0])
  await store.undo((await kept()) as StoredScan)
  expect([await grants(before), await grants(after)]).toEqual([0, -1])
  expect(await store.hasLetIn('door', 'ada')).toBe(true)
  await vi.waitFor(() => expect(tick()).toBeGreaterThan(after))
  await sent()
  expect([await grants(after), await grants(tick() + 1)]).toEqual([-1, 0])
  expect(await store.hasLetIn('door', 'ada')).toBe(false)
})

test('what the server refuses stands again, with the reason; what it cannot say now waits', async () => {
  const scan = await newScan()
  await answered(scan)
  await store.undo(scan)
  expect(await sent(new GatehouseError(0, 'No answer'))).toMatchObject({ isAnswered: false, ends: [] })
  expect(await sent(new GatehouseError(503, 'Later'))).toMatchObject({ isAnswered: true, ends: [] })
  expect(await store.countUndoing('device')).toBe(1)
  const tooLate = new GatehouseError(403, 'Too old', { reason: { code: 'undone_too_late' } })
  expect((await sent(tooLate)).ends).toEqual(['undone_too_late'])
  expect(await kept()).toMatchObject({ state: 'confirmed', undo_problem: 'undone_too_late' })
  expect(await grants(0)).toBe(1)
})

test('a revoked device forgets what the server has judged, but no check-in that it has yet to delete', async () => {
  const states = async () => (await store.recent('device', 9)).map(({ guest_uid, state }) => [guest_uid, state])
  for (const guest_uid of ['judged', 'deleted', 'undone', 'late']) {
    const scan = await newScan({ guest_uid, is_asked: true })
    // The server has answered after the device had decided: the scan goes up again with the decision.
    const state = guest_uid === 'late' ? 'waiting' : 'confirmed'
    await store.put([{ ...scan, state, access_status: 0, check_in_id: guest_uid }])
  }
  const [late, undone, deleted] = (await store.recent('device', 3)) as [StoredScan, StoredScan, StoredScan]
  await store.undo(deleted)
  await sent()
  await store.undo(undone)
  await store.undo(late)
  await store.forgetJudged()
  expect(await states()).toEqual([
    ['late', 'waiting'],
    ['undone', 'undoing'],
  ])
  expect((await sent()).deleted).toEqual(['undone'])
})

test('a guest whom the device has let in by name is known by the uid too, at that point alone', async () => {
  const hash = await hashUid('salt', 'ada')
  await newScan({ guest_uid: null, guest_hash: { hash, salt: 'salt' } })
  const hasLetIn = (point: string, uid: string) => store.hasLetIn(point, uid)
  expect([await hasLetIn('door', 'ada'), await hasLetIn('gate', 'ada'), await hasLetIn('door', 'bob')]).toEqual([
    true,
    false,
    false,
  ])
})

test('a check-in that is gone already is undone', async () => {
  const scan = await newScan()
  await answered(scan)
  await store.undo(scan)
  expect((await sent(new GatehouseError(404, 'Not found'))).ends).toEqual([null])
})

test('the note on a guest is not stored', async () => {
  const scan = await newScan({ message: 'Allergic', is_asked: true })
  await store.put([{ ...scan, message: 'Allergic' }])
  await store.undo(scan)
  expect(JSON.stringify(await kept())).not.toContain('Allergic')
})

test('the list has the last twenty scans, newest first, each once, and knows what was undone', async () => {
  const recent = new RecentScans()
  const scans = Array.from({ length: 25 }, (_, sequence) => ({ sequence, access_stamp: '' }) as StoredScan)
  recent.add(scans)
  recent.add([{ ...(scans[24] as StoredScan), name: 'Ada' }])
  expect(recent.all().map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => 24 - index))
  expect(recent.all()[0]?.name).toBe('Ada')
  // One that has left the list does not come back by its end.
  recent.update([scans[0] as StoredScan])
  expect(recent.all()).toHaveLength(20)
  recent.undo(scans[24] as StoredScan, true)
  expect(recent.undoOf(scans[24] as StoredScan)).toBe('waiting')
  recent.concludeUndo(scans[24] as StoredScan, 'No')
  expect(recent.undoOf(scans[24] as StoredScan)).toEqual({ problem: 'No' })
})

test('an entry of the last 15 minutes can be undone once, a refusal never', async () => {
  const recent = new RecentScans()
  const scan = await newScan()
  const isUndoable = (fields: Partial<StoredScan>, minutes = 0) =>
    recent.isUndoable({ ...scan, ...fields }, Date.parse(scan.access_stamp) + minutes * MINUTE)
  expect([isUndoable({}), isUndoable({}, 14), isUndoable({}, 15)]).toEqual([true, true, false])
  expect(isUndoable({ decided_offline: 3 })).toBe(false)
  expect(isUndoable({ decided_offline: null, access_status: 0, state: 'confirmed', check_in_id: 'x' })).toBe(true)
  recent.undo(scan, false)
  expect(isUndoable({})).toBe(false)
})
