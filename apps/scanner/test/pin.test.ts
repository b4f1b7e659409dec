// @module-tag slow
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, test, vi } from 'vitest'
import { Lock } from '../src/kiosk/lock.ts'
import { isRight, readPin, storedPin } from '../src/kiosk/pin.ts'
import { type Database, openDatabase, type StoredDevice } from '../src/storage/database.ts'
import { changeDevice, loadDevice, replaceDevice } from '../src/storage/device.ts'

const device: StoredDevice = {
  _id: 'device',
  name: null,
  event_id: 'event',
  event_title: 'Opening',
  accesspoint_ids: [],
  token: 'token',
  accesspoint: null,
  clock_offset: 0,
}
const NOW = Date.parse('2026-11-29T10:00:00Z')

let database: Database
beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  database = await openDatabase()
  await replaceDevice(database, device)
})

/** The lock as the app has it after its start. */
async function opened(): Promise<Lock> {
  let kept = await loadDevice(database)
  return new Lock({
    device: () => kept,
    change: async (changes) => {
      kept = await changeDevice(database, 'token', changes)
    },
  })
}

async function failTimes(lock: Lock, times: number, now = NOW): Promise<void> {
  for (let n = 0; n < times; n++) expect(await lock.enter('9999', now)).toBe(false)
}

test('a PIN has 4 to 8 digits, wide ones too', () => {
  expect(['1234', '12345678', ' 1234 ', '１２３４'].map(readPin)).toEqual(['1234', '12345678', '1234', '1234'])
  expect(['', '123', '123456789', '12a4', '12 34', '٠١٢٣'].map(readPin)).toEqual(Array(6).fill(undefined))
})

test('a PIN is kept as a salted hash of 100,000 iterations or more, in which it is not found', async () => {
  const [one, other] = await Promise.all([storedPin('1234'), storedPin('1234')])
  expect(one.iterations).toBeGreaterThanOrEqual(100_000)
  expect(one.salt).not.toEqual(other.salt)
  expect(one.hash).not.toEqual(other.hash)
  expect(JSON.stringify(one)).not.toContain('1234')
  expect(await Promise.all(['1234', '1235', '12345'].map((pin) => isRight(pin, one)))).toEqual([true, false, false])
})

test('without a PIN nothing is locked; with one it is, until it is entered and after it is shut again', async () => {
  const lock = await opened()
  expect([lock.isSet, lock.isShut, await lock.enter('1234', NOW)]).toEqual([false, false, false])
  await lock.set('1234')
  expect([lock.isSet, lock.isShut]).toEqual([true, false])
  lock.shut()
  expect(lock.isShut).toBe(true)
  expect(await lock.enter('1234', NOW)).toBe(true)
  expect(lock.isShut).toBe(false)
  await lock.remove()
  expect([lock.isSet, (await opened()).isSet]).toEqual([false, false])
})

test('after five wrong entries in a row the right one has to wait 30 seconds too, also in an app that is opened anew', async () => {
  await (await opened()).set('1234')
  const lock = await opened()
  await failTimes(lock, 5)
  expect(lock.wait(NOW)).toBe(30_000)
  expect(await lock.enter('1234', NOW + 29_999)).toBe(false)
  const anew = await opened()
  expect(anew.wait(NOW + 10_000)).toBe(20_000)
  expect(await anew.enter('1234', NOW + 29_999)).toBe(false)
  expect(await anew.enter('1234', NOW + 30_000)).toBe(true)
})

test('wrong entries count across openings of the app, and a right one ends the row', async () => {
  await (await opened()).set('1234')
  await failTimes(await opened(), 3)
  const lock = await opened()
  await failTimes(lock, 1)
  expect(await lock.enter('1234', NOW)).toBe(true)
  lock.shut()
  await failTimes(lock, 4)
  expect(lock.wait(NOW)).toBe(0)
  await failTimes(lock, 1)
  expect(lock.wait(NOW)).toBe(30_000)
})

test('the fifth entry may be right; entries at once count each', async () => {
  const lock = await opened()
  await lock.set('1234')
  await failTimes(lock, 4)
  expect(await lock.enter('1234', NOW)).toBe(true)
  const tried = await Promise.all(Array.from({ length: 8 }, () => lock.enter('9999', NOW)))
  expect(tried).not.toContain(true)
  expect(await lock.enter('1234', NOW)).toBe(false)
})

test('a clock that is set back by hours does not make an entry wait for hours', async () => {
  const lock = await opened()
  await lock.set('1234')
  await failTimes(lock, 5)
  expect(lock.wait(NOW - 3_600_000)).toBe(0)
})

test('kiosk mode outlasts the app, and ends by the PIN alone, or when the device is enrolled anew, which removes both', async () => {
  const lock = await opened()
  await lock.set('1234')
  await lock.startKiosk()
  const anew = await opened()
  expect([anew.isKiosk, anew.isShut]).toEqual([true, true])
  await anew.endKiosk()
  expect(anew.isKiosk).toBe(true)
  await anew.enter('1234', NOW)
  await anew.endKiosk()
  expect([anew.isKiosk, (await opened()).isKiosk]).toEqual([false, false])
  await anew.startKiosk()
  await replaceDevice(database, { ...device, token: 'next' })
  const next = await opened()
  expect([next.isSet, next.isKiosk]).toEqual([false, false])
})

test('a revoked device keeps PIN and kiosk mode', async () => {
  const lock = await opened()
  await lock.set('1234')
  await lock.startKiosk()
  await changeDevice(database, 'token', { token: null, accesspoint: null })
  const kept = await opened()
  expect([kept.isSet, kept.isKiosk]).toEqual([true, true])
})
