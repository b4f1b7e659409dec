import { expect, test } from 'vitest'
import { testGuest } from '../test-guest.ts'
import { needsMetadata, valuesOf } from './disclosed.ts'
import type { Disclosable } from './lookups.ts'

const guest: Disclosable = {
  ...testGuest({ _id: 'a'.repeat(24) }),
  uid: 'u1',
  email: 'ada@example.org',
  first_name: 'Ada',
  position: 'Countess',
  phone_number: '+33 1',
  guest_metadata: [
    { name: 'Diet', value: 'none' },
    { name: 'Talk', value: 'Engines' },
    { name: 'Talk', value: null },
    { name: 'Talk', value: 'Notes' },
    { name: 'email', value: 'other@example.org' },
    { name: 'blank', value: null },
  ],
}

test('each field of the whitelist has its value, in the order of the list, or null', () => {
  expect(valuesOf(guest, ['uid', 'position', 'last_name', 'Diet', 'nothing', 'blank'])).toEqual([
    'u1',
    'Countess',
    null,
    'none',
    null,
    null,
  ])
})

test('several entries of one name are joined', () => {
  expect(valuesOf(guest, ['Talk'])).toEqual(['Engines, Notes'])
})

test("a guest's own fields have priority over metadata of the same name; other own fields are never disclosed", () => {
  expect(valuesOf(guest, ['email', '_id', 'guest_metadata', 'badge_url', '__proto__', 'constructor'])).toEqual([
    'ada@example.org',
    null,
    null,
    null,
    null,
    null,
  ])
})

test("metadata is read only if the whitelist names a field that is not a guest's own", () => {
  expect(needsMetadata(['uid', 'email', 'position'])).toBe(false)
  expect(needsMetadata(['uid', 'Diet'])).toBe(true)
  expect(needsMetadata([])).toBe(false)
})
