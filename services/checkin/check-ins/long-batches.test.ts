import { setImmediate as nextTurn } from 'node:timers/promises'
import { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Dependencies } from '../dependencies.ts'
import type { AccessCache } from '../door/access-cache.ts'
import type { Scan } from '../door/decision.ts'
import type { Door } from '../door/door.ts'
import { CHUNKS_AT_THE_DOOR } from './batch-create.ts'
import { checkInHandlers } from './handlers.ts'

/** A call of the door. */
interface Piece {
  event_id: string
  uids: string[]
}

/** The handlers with a door that decides nothing and records its calls. */
function handlersBefore(pieces: Piece[], noted: { atOnce: number; most: number }) {
  const door = {
    async enter(event_id: string, scans: Scan[]) {
      pieces.push({ event_id, uids: scans.map(({ guest_uid }) => guest_uid) })
      noted.atOnce++
      noted.most = Math.max(noted.most, noted.atOnce)
      await nextTurn()
      noted.atOnce--
      return scans.map((checkIn) => ({ checkIn, repeated: false }))
    },
  } as unknown as Door
  const accessCache = { uidsOf: async (_event_id: string, scanned: string[]) => scanned } as unknown as AccessCache
  const chunkSlots = new Semaphore(CHUNKS_AT_THE_DOOR, CHUNKS_AT_THE_DOOR)
  return checkInHandlers({ door, accessCache, chunkSlots } as Dependencies)
}

type Create = ReturnType<typeof handlersBefore>['batch_create']

/** A call of an account for an event of the same name, with this many scans. */
function batchOf(account_id: string, count: number): Parameters<Create>[0] {
  let ids = 0
  const body = Array.from({ length: count }, (_, n) => ({
    accesspoint_id: 'door',
    guest_uid: `${n}`,
    access_stamp: null,
  }))
  const caller = { account_id, token_id: 'token', scope: 'admin' }
  return { params: { event_id: account_id }, body, caller, newId: () => `${ids++}` } as unknown as Parameters<Create>[0]
}

/** Whether the process is said to serve others: other test files in it may really do so. */
let servesOthers = false

beforeEach(() => {
  servesOthers = false
  const spy = vi.spyOn(timeSlicer, 'servesOthers', 'get').mockImplementation(() => servesOthers)
  onTestFinished(() => spy.mockRestore())
})

test('two chunks of long batches are at the door at a time, and accounts take turns', async () => {
  const pieces: Piece[] = []
  const noted = { atOnce: 0, most: 0 }
  const { batch_create } = handlersBefore(pieces, noted)
  const many = Array.from({ length: 8 }, () => batch_create(batchOf('many', 5_000)))
  await nextTurn()
  const before = pieces.length
  const one = await batch_create(batchOf('one', 2_000))
  expect(one).toHaveLength(2_000)
  // Its four chunks took turns with the eighty of the other account.
  expect(pieces.filter(({ event_id }) => event_id === 'one')).toHaveLength(4)
  expect(pieces.length - before).toBeLessThanOrEqual(40)
  for (const answer of await Promise.all(many)) expect(answer).toHaveLength(5_000)
  expect(noted.most).toBe(2)
})

test('a long batch is decided in its order, 500 at a time; one of 500 at once', async () => {
  const pieces: Piece[] = []
  const { batch_create } = handlersBefore(pieces, { atOnce: 0, most: 0 })
  await batch_create(batchOf('one', 500))
  expect(pieces.splice(0).map(({ uids }) => uids.length)).toEqual([500])
  await batch_create(batchOf('one', 1_200))
  expect(pieces.map(({ uids }) => uids.length)).toEqual([500, 500, 200])
  expect(pieces.flatMap(({ uids }) => uids)).toEqual(Array.from({ length: 1_200 }, (_, n) => `${n}`))
})

test('while others are served, a batch is decided 100 at a time', async () => {
  const pieces: Piece[] = []
  const { batch_create } = handlersBefore(pieces, { atOnce: 0, most: 0 })
  servesOthers = true
  await batch_create(batchOf('one', 250))
  expect(pieces.map(({ uids }) => uids.length)).toEqual([100, 100, 50])
})
