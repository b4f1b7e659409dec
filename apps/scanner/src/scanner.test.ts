import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Scanner } from './scanner.ts'
import type { StoredScan } from './scanning/scan.ts'
import { openDatabase } from './storage/database.ts'
import { ScanStore } from './storage/scans.ts'

test('a scan that was undone under an earlier code is not said to wait: no file has it, so that this would never end', async () => {
  // Other tests of the same process leave a device in theirs.
  globalThis.indexedDB = new IDBFactory()
  const store = new ScanStore(await openDatabase())
  const add = (guest_uid: string) =>
    store.add({ device_id: 'earlier', guest_uid, state: 'waiting', is_asked: true, access_status: null } as StoredScan)
  await add('ada')
  await store.undo(await add('bob'))
  const scanner = await Scanner.open(() => {})
  expect(scanner.waitingOfOthers).toBe(1)
  expect(await scanner.stranded()).toMatchObject([{ guest_uid: 'ada' }])
})
