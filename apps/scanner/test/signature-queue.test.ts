import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { GatehouseError } from '../../../clients/typescript/client.ts'
import { SignatureQueue } from '../src/queue/signature-queue.ts'
import type { ServerClient } from '../src/server/server.ts'
import type { StoredSignature } from '../src/signing/signature.ts'
import { openDatabase } from '../src/storage/database.ts'
import { SignatureStore } from '../src/storage/signatures.ts'

const PROBLEM = 'guest_uid is not a guest of the event'

test('signatures go up in their order, in small batches; what the server does not take is kept with its words, what waits is kept', async () => {
  const signatures = new SignatureStore(await openDatabase())
  const sign = (guest_uid: string) =>
    signatures.add({
      device_id: 'own',
      accesspoint_id: 'door',
      guest_uid,
      access_stamp: new Date().toISOString(),
      points: { width: '3', height: '2', lines: [] },
      state: 'waiting',
      problem: null,
      name: null,
    })
  const uids = Array.from({ length: 25 }, (_, index) => `guest-${index}`)
  for (const uid of uids) await sign(uid)
  const batches: string[][] = []
  let isAway = true
  const signAll = async (sent: StoredSignature[]) => {
    if (isAway) throw new GatehouseError(503, 'away')
    batches.push(sent.map(({ guest_uid }) => guest_uid))
    return sent.map(({ guest_uid }) => (guest_uid === 'guest-12' ? PROBLEM : null))
  }
  const server = { signAll } as unknown as ServerClient
  let ended = 0
  const queue = new SignatureQueue({ device_id: 'own', signatures, server, ended: () => ended++ })
  await queue.sendAll()
  expect([await signatures.countWaiting('own'), ended]).toEqual([25, 0])
  isAway = false
  await queue.sendAll()
  expect(batches.flat()).toEqual(uids)
  expect([batches.length, ended, await signatures.countWaiting()]).toEqual([3, 3, 0])
  expect(await signatures.refused()).toMatchObject([{ guest_uid: 'guest-12', problem: PROBLEM }])
})
