import { beforeEach, expect, test, vi } from 'vitest'
import { lookUp, type NamedGuest } from '../src/kiosk/lookup.ts'

const NOW = Date.parse('2026-11-29T10:00:00Z')
const ada: NamedGuest = { uid: 'ada', last_name: 'Lovelace', email: 'ada@example.org' }

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})

const among =
  (...guests: NamedGuest[]) =>
  async () =>
    guests

test.each([
  ['LOVELACE', 'Ada@Example.ORG'],
  [' lövelace ', ' ada@example.org '],
])('a guest is meant by last name and e-mail in any case, the name with or without accents', async (name, email) => {
  expect(await lookUp(among(ada), name, email, NOW)).toEqual({ uid: 'ada' })
})

test.each([
  ['Lovelac', 'ada@example.org'],
  ['Lovelace', 'ada@example.or'],
  ['Lovelace', ''],
  ['', 'ada@example.org'],
  ['Ada', 'ada@example.org'],
])('a guest is not meant by a part of last name or e-mail, nor by one of both', async (name, email) => {
  expect(await lookUp(among(ada, { uid: 'none', last_name: null, email: null }), name, email, NOW)).toBe('none')
})

test('of two guests with the same last name and e-mail none is meant', async () => {
  expect(await lookUp(among(ada, { ...ada, uid: 'twin' }), 'Lovelace', 'ada@example.org', NOW)).toBe('none')
})

test('five lookups fail within a minute, then nobody is looked for; others end no such minute', async () => {
  const find = vi.fn(among(ada))
  for (let n = 0; n < 5; n++) {
    expect(await lookUp(find, 'Lovelace', 'ada@example.org', NOW + n)).toEqual({ uid: 'ada' })
    expect(await lookUp(find, 'Byron', 'ada@example.org', NOW + n)).toBe('none')
  }
  find.mockClear()
  expect(await lookUp(find, 'Lovelace', 'ada@example.org', NOW + 59_000)).toBe('slow')
  expect(find).not.toHaveBeenCalled()
  expect(await lookUp(find, 'Lovelace', 'ada@example.org', NOW + 60_000)).toEqual({ uid: 'ada' })
})

test('a lookup counts before it is answered, and not at all where the server does not answer', async () => {
  for (let n = 0; n < 6; n++) expect(await lookUp(() => Promise.reject(new Error()), 'A', 'b', NOW)).toBe('away')
  const never = () => new Promise<never>(() => {})
  for (let n = 0; n < 5; n++) void lookUp(never, 'A', 'b', NOW)
  expect(await lookUp(among(ada), 'Lovelace', 'ada@example.org', NOW)).toBe('slow')
})
