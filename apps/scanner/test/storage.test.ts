import { UTC_DAYS } from '@gatehouse/door/event-day.ts'
import 'fake-indexeddb/auto'
import { serialize } from 'node:v8'
import { type SnapshotHead, SnapshotWriter } from '@gatehouse/door/snapshot-writing.ts'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, test, vi } from 'vitest'
import { importCodeKey } from '../src/scanning/code-key.ts'
import type { StoredDevice } from '../src/storage/database.ts'
import { type Database, openDatabase } from '../src/storage/database.ts'
import { changeDevice, loadDevice, replaceDevice } from '../src/storage/device.ts'
import { open, seal } from '../src/storage/sealed.ts'
import { loadSnapshot, replaceSnapshot } from '../src/storage/snapshots.ts'

const deviceWith = (token: string): StoredDevice => ({
  _id: token,
  name: null,
  event_id: 'event',
  event_title: 'Opening',
  accesspoint_ids: [],
  token,
  accesspoint: { _id: 'door', name: 'Door' },
  clock_offset: 0,
})

let database: Database
beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  database = await openDatabase()
  await replaceDevice(database, deviceWith('new'))
  await save('new')
})

const save = async (token: string) =>
  replaceSnapshot(database, token, { event_id: 'event', asked_at: 1, sealed: await seal('guests') })
const revoke = (token: string) => changeDevice(database, token, { token: null, accesspoint: null })
const isKnown = async () => (await loadSnapshot(database, 'event'))?.text === 'guests'

test('a revoked device forgets token and guest list at once, and keeps no list that comes later', async () => {
  expect(await isKnown()).toBe(true)
  await revoke('new')
  expect(await loadDevice(database)).toMatchObject({ _id: 'new', token: null, accesspoint: null })
  expect(await isKnown()).toBe(false)
  expect(await save('new')).toBe(false)
  expect(await isKnown()).toBe(false)
})

test('the key of ciphered codes goes with the token: a revoked device has none, nor a new one, nor one that comes later', async () => {
  const code_key = await importCodeKey({ key: btoa('x'.repeat(32)), iv: btoa('x'.repeat(16)) })
  const isKept = async () => (await loadDevice(database))?.code_key !== undefined
  await changeDevice(database, 'new', { code_key })
  expect(await isKept()).toBe(true)
  await replaceDevice(database, deviceWith('next'))
  expect(await isKept()).toBe(false)
  await changeDevice(database, 'next', { code_key })
  await revoke('next')
  expect(await isKept()).toBe(false)
  await changeDevice(database, 'next', { code_key })
  expect(await isKept()).toBe(false)
})

test('the token is not forgotten without the guest list: one without the other is never kept', async () => {
  const revoking = revoke('new')
  // Nothing of the transaction is kept of a page that is closed before its end.
  const transaction = database.transaction(['device', 'snapshot'])
  const [device, snapshots] = await Promise.all([
    transaction.objectStore('device').get('own'),
    transaction.objectStore('snapshot').count(),
  ])
  expect([device?.token === null, snapshots === 0]).toEqual([true, true])
  await revoking
})

test('who still has the last device’s token neither revokes the new device, nor changes it, nor touches what it knows', async () => {
  const kept = deviceWith('new')
  expect(await revoke('old')).toEqual(kept)
  expect(await changeDevice(database, 'old', { name: 'old', token: 'old' })).toEqual(kept)
  expect(await replaceSnapshot(database, 'old', undefined)).toBe(false)
  expect(await save('old')).toBe(false)
  expect(await loadDevice(database)).toEqual(kept)
  expect(await isKnown()).toBe(true)
})

test('a device changes while it has its token, and a new device knows nothing of what the last one knew', async () => {
  expect(await changeDevice(database, 'new', { name: 'North' })).toMatchObject({ name: 'North', token: 'new' })
  expect(await isKnown()).toBe(true)
  await replaceDevice(database, deviceWith('next'))
  expect(await isKnown()).toBe(false)
})

test('the guest list lies encrypted: nothing stored has a name, a uid or a hash, and no script can read the key', async () => {
  const head: SnapshotHead = {
    event_id: 'event',
    cursor: '1',
    made_at: '',
    salt: 'salt',
    accesspoints: new Map(),
    areas: new Map(),
    exits: new Set(),
    areaOf: new Map(),
    day: UTC_DAYS,
    fields: new Map(),
    categories: new Map([['vip', { name: 'VIP' }]]),
    links: new Map(),
  }
  const writer = new SnapshotWriter(head)
  writer.add(
    await hashUid('salt', 'ada1815'),
    { guest_category_id: 'vip', access_privileges: [], first_name: 'Ada', last_name: 'Lovelace' },
    [],
  )
  const text = writer.finish('whole')
  const { hashes } = JSON.parse(text).guests
  const secrets = ['Lovelace', hashes]
  // As it is found where the text is not encrypted.
  for (const secret of secrets) expect(serialize({ text }).includes(secret)).toBe(true)

  await replaceSnapshot(database, 'new', { event_id: 'event', asked_at: 1, sealed: await seal(text) })
  const kept = await database.getAll('snapshot')
  // All of it but the key, whose bytes no program has.
  const stored = serialize(kept.map(({ sealed: { key: _, ...sealed }, ...others }) => ({ ...others, ...sealed })))
  expect(stored.length).toBeGreaterThan(text.length)
  for (const secret of [...secrets, 'ada1815']) expect(stored.includes(secret)).toBe(false)

  const key = kept[0]?.sealed.key ?? expect.fail('no key')
  expect(key.extractable).toBe(false)
  for (const format of ['raw', 'jwk'] as const) await expect(crypto.subtle.exportKey(format, key)).rejects.toThrow()
  expect((await loadSnapshot(database, 'event'))?.text).toBe(text)
})

test('two snapshots have two keys', async () => {
  const [one, two] = [await seal('guests'), await seal('guests')]
  expect(Buffer.from(one.bytes).equals(Buffer.from(two.bytes))).toBe(false)
  await expect(open({ ...one, key: two.key })).rejects.toThrow()
})
