import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { expect, test } from 'vitest'
import { askFor } from '../src/scanning/answers.ts'
import type { StoredScan } from '../src/scanning/scan.ts'
import type { ServerClient } from '../src/server/server.ts'

const scan = async (): Promise<StoredScan> =>
  ({
    guest_uid: null,
    name: 'Ada Lovelace',
    guest_hash: { hash: await hashUid('salt', 'ada-2'), salt: 'salt' },
  }) as StoredScan
const serverWith = (...uids: string[]) =>
  ({
    search: async (words: string) => (words === 'Ada Lovelace' ? uids.map((uid) => ({ uid })) : []),
    checkIn: async ({ guest_uid }: StoredScan) => ({ guest_uid, access_status: 0 }),
  }) as unknown as ServerClient

test('a guest who was found in the list on this device is checked in by the uid with that hash, of all with this name', async () => {
  expect(await askFor(await scan(), serverWith('ada-1', 'ada-2'))).toEqual({ guest_uid: 'ada-2', access_status: 0 })
})

test('where nobody has that name any more the scan ends with that', async () => {
  expect(await askFor(await scan(), serverWith('ada-1'))).toEqual({ problem: 'guest_gone' })
})
