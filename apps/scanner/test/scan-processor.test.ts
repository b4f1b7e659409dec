import { expect, test } from 'vitest'
import { StorageFull } from '../../shared/src/storage/quota.ts'
import type { GuestList } from '../src/offline/guest-list.ts'
import type { ScanOutcome } from '../src/scanning/outcome.ts'
import type { Status, StoredScan } from '../src/scanning/scan.ts'
import { ScanProcessor } from '../src/scanning/scan-processor.ts'
import type { Clock } from '../src/server/clock.ts'
import { ScanTimes } from '../src/server/scan-times.ts'
import type { ServerClient } from '../src/server/server.ts'
import type { ScanStore } from '../src/storage/scans.ts'

/** Scans a guest whom the device lets in before the server answers, perhaps not for the first time. Returns what is kept, what is shown, and how the server answers. */
function scanSlowly(
  put: (scan: StoredScan) => void,
  hasLetIn = false,
  guest = async (): Promise<object | undefined> => undefined,
) {
  const answer = Promise.withResolvers<Status>()
  const decided = Promise.withResolvers<void>()
  const kept: StoredScan[] = []
  const shown: ScanOutcome[] = []
  const processor = new ScanProcessor({
    device_id: 'device',
    event_id: 'event',
    store: {
      hasLetIn: async () => hasLetIn,
      add: async (scan: StoredScan) => {
        kept.push(scan)
        return { ...scan, sequence: 1 }
      },
      put: async ([scan]: [StoredScan]) => {
        put(scan)
        kept.push(scan)
      },
    } as unknown as ScanStore,
    guestList: {
      decide: async () => ({ status: 0, name: null, category: null }),
      uidOf: async (uid: string) => uid,
      partyAt: async () => undefined,
    } as unknown as GuestList,
    server: {
      times: new ScanTimes(),
      checkIn: () => answer.promise.then((access_status) => ({ guest_uid: 'ada', access_status })),
      guest,
    } as unknown as ServerClient,
    reachability: { isUp: true, lose: () => {} },
    clock: { now: () => new Date() } as unknown as Clock,
    codeKey: () => undefined,
    show: (outcome) => {
      shown.push(outcome)
      decided.resolve()
    },
    settled: () => {},
  })
  return { kept, shown, answer: answer.resolve, decided: decided.promise, scanned: processor.scan('ada', 'door') }
}

test.concurrent('a scan that the server answers after the device has decided waits to be sent again, with the decision', async () => {
  const { kept, shown, answer, decided, scanned } = scanSlowly(() => {})
  await decided
  expect(shown.at(-1)).toMatchObject({ status: 0, isConfirmed: false })
  answer(3)
  await scanned
  expect(shown.at(-1)).toMatchObject({ status: 3, isConfirmed: true })
  expect(kept.at(-1)).toMatchObject({ state: 'waiting', decided_offline: 0, access_status: 3 })
})

test.concurrent('a decision for which there is no room is not shown: it would not count at the next scan of the guest', async () => {
  const { kept, shown, answer, decided, scanned } = scanSlowly(({ decided_offline }) => {
    if (decided_offline !== null) throw new StorageFull()
  })
  await decided
  expect(shown.at(-1)).toMatchObject({ kind: 'undecided' })
  answer(0)
  await scanned
  expect(kept.at(-1)).toMatchObject({ state: 'confirmed', decided_offline: null })
})

test.concurrent('a guest whom the device has let in is not asked for while the server does not know of it: it would let the guest in again', async () => {
  const { kept, shown, scanned } = scanSlowly(() => {}, true)
  await scanned
  expect(shown).toMatchObject([{ isConfirmed: false }])
  expect(kept).toMatchObject([{ is_asked: false, decided_offline: 0, state: 'waiting' }])
})

test.concurrent('between the answer and the name of the guest the code does not stand for it; where no name comes, it does', async () => {
  for (const name of ['Ada Lovelace', undefined]) {
    const { shown, answer, scanned } = scanSlowly(
      () => {},
      false,
      async () => (name ? { name } : undefined),
    )
    answer(0)
    await scanned
    expect(shown).toMatchObject([
      { status: 0, name: null, isNameAwaited: true },
      { status: 0, name: name ?? null },
    ])
    expect(shown.at(-1)?.isNameAwaited).toBeUndefined()
  }
})
