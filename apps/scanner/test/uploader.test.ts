import { expect, test } from 'vitest'
import { GatehouseError } from '../../../clients/typescript/client.ts'
import type { SignatureQueue } from '../src/queue/signature-queue.ts'
import type { UndoQueue } from '../src/queue/undo-queue.ts'
import { Uploader } from '../src/queue/uploader.ts'
import type { StoredScan } from '../src/scanning/scan.ts'
import type { ServerClient } from '../src/server/server.ts'
import type { ScanStore } from '../src/storage/scans.ts'

/** Runs an uploader over scans. Returns the places of those that wait after it, and how often the server was asked. */
async function uploaded(
  scans: StoredScan[],
  status: { single?: number; batch?: number; cipher?: number },
  undoing: StoredScan[] = [],
) {
  let requests = 0
  const kept = new Map(scans.map((scan) => [scan.sequence, { ...scan, state: 'waiting' } as StoredScan]))
  const waiting = () => [...kept.values()].filter(({ state }) => state === 'waiting')
  const ask = async <T>(refused: number | undefined, answer: T): Promise<T> => {
    requests++
    if (refused !== undefined) throw new GatehouseError(refused, 'No')
    return answer
  }
  const uploader = new Uploader({
    device_id: 'device',
    store: {
      waitingOf: async (_: string, most: number) => waiting().slice(0, most),
      undoing: async () => undoing,
      claim: async (claimed: StoredScan[]) => claimed,
      put: async (news: StoredScan[]) => {
        for (const scan of news) kept.set(scan.sequence, scan)
      },
    } as unknown as ScanStore,
    server: {
      checkIn: () => ask(status.single, { guest_uid: 'ada', access_status: 0 }),
      checkInAll: (all: StoredScan[]) =>
        ask(
          status.batch,
          all.map(() => ({ guest_uid: 'ada', access_status: 0 })),
        ),
      decipher: () => ask(status.cipher, 'ada'),
    } as unknown as ServerClient,
    signatures: { sendAll: async () => {} } as unknown as SignatureQueue,
    undos: { sendAll: async () => true } as unknown as UndoQueue,
    asking: new Set(),
    ended: () => {},
  })
  await uploader.run()
  return { waiting: waiting().map(({ sequence }) => sequence), requests }
}

const scan = (sequence: number, is_asked: boolean, guest_uid: string | null = 'ada'): StoredScan =>
  ({ sequence, is_asked, guest_uid, content: 'ada', decided_offline: null }) as StoredScan

test.each([409, 500, 503, 403])('a scan to which the server answers %i holds up no other', async (single) => {
  const { waiting } = await uploaded([scan(1, true), scan(2, false), scan(3, true), scan(4, false)], { single })
  expect(waiting).toEqual([1, 3])
})

test('while the server cannot delete a check-in that was undone, the guest’s later scans wait, and no others', async () => {
  const { waiting } = await uploaded([scan(2, false), scan(3, false, 'bob')], {}, [scan(1, false)])
  expect(waiting).toEqual([2])
})

test('while codes cannot be read all else goes up, however many of them are older, and few of them are tried', async () => {
  const ciphered = Array.from({ length: 600 }, (_, index) => scan(index, false, null))
  const { waiting, requests } = await uploaded([...ciphered, scan(600, false), scan(601, true)], { cipher: 503 })
  expect(waiting).toEqual(ciphered.map(({ sequence }) => sequence))
  // The store gives the oldest 500 at first.
  expect(requests).toBe(4)
})

test.each([0, 401, 429])('nothing more is sent after %i', async (single) => {
  expect(await uploaded([scan(1, true), scan(2, false)], { single })).toEqual({ waiting: [1, 2], requests: 1 })
})
