import { describe, expect, test } from 'vitest'
import { readSearch, searchWords, sortName } from './search.ts'

function finds(query: string, guest: Parameters<typeof searchWords>[0]): boolean {
  const words = searchWords(guest)
  return readSearch(query).prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)))
}

describe('a search', () => {
  test.each([
    ['eloise', { first_name: 'Éloïse' }],
    ['ÉLO', { first_name: 'eloise' }],
    ['jean-p', { first_name: 'Jean-Pierre' }],
    ['pierre', { first_name: 'Jean-Pierre' }],
    ['obrien', { last_name: "O'Brien" }],
    ['o’brien', { last_name: "O'Brien" }],
    ['soren', { first_name: 'Søren' }],
    ['strasse', { last_name: 'Straße' }],
    ['ΟΔΟΣ', { last_name: 'οδος' }],
    ['istanbul', { company_name: 'İstanbul' }],
    ['ada@ex', { email: 'ada@example.org' }],
    ['example.org', { email: 'ada@example.org' }],
    ['+33612', { phone_number: '+33 6 12 34 56 78' }],
    ['0033 6', { phone_number: '0033 6 12' }],
    ['vip-00', { uid: 'VIP-001' }],
    ['***', { uid: '***!' }],
    ['山田', { last_name: '山田太郎' }],
    ['b7', { guest_metadata: [{ name: 'stand', value: 'B-7' }] }],
    ['ada b-7', { first_name: 'Ada', guest_metadata: [{ name: 'stand', value: 'B-7' }] }],
    ['love ada', { first_name: 'Ada', last_name: 'Lovelace' }],
    ['Lovelace, Ada', { first_name: 'Ada', last_name: 'Lovelace' }],
  ])('%j finds %j', (query, guest) => {
    expect(finds(query, guest)).toBe(true)
  })

  test.each([
    ['lace', { last_name: 'Lovelace' }],
    ['ada grace', { first_name: 'Ada', last_name: 'Lovelace' }],
    ['.*', { last_name: 'Lovelace' }],
    ['company_name:ada', { first_name: 'Ada', company_name: 'Acme' }],
    ['company_name:acme', { uid: 'company_name:acme' }],
    ['position:acme', { company_name: 'Acme' }],
    ['position:acme', { guest_metadata: [{ name: 'position', value: 'Acme' }] }],
    ['stand', { guest_metadata: [{ name: 'stand', value: 'B-7' }] }],
    ['null', { guest_metadata: [{ name: 'stand', value: null }] }],
  ])('%j does not find %j', (query, guest) => {
    expect(finds(query, guest)).toBe(false)
  })

  test('reads the forms status:, sort:, company_name: and position:, quotes included', () => {
    expect(readSearch('ada status:accepted,declined sort:lastname-desc company_name:"Big Corp" position:ceo')).toEqual({
      prefixes: ['company_name:corp', 'company_name:big', 'position:ceo', 'ada'],
      statuses: ['accepted', 'declined'],
      sort: { by: 'lastname', direction: 'desc' },
      codes: [],
    })
  })

  test('reads an unknown form as a word', () => {
    expect(readSearch('sort:email-asc')).toMatchObject({
      prefixes: ['sortemailasc'],
      statuses: undefined,
      sort: undefined,
    })
  })

  test('takes 500 words of metadata at most, those of short values first', () => {
    const value = Array.from({ length: 5_000 }, (_, n) => n).join('.')
    const guest_metadata = [...Array(6).fill({ name: 'long', value }), { name: 'stand', value: 'B-7' }]
    const words = searchWords({ last_name: 'Byron', guest_metadata })
    expect(words.length).toBe(501)
    expect(words).toEqual(expect.arrayContaining(['byron', 'b7', '7']))
  })

  test('keeps words short on both sides', () => {
    const long = 'x'.repeat(255)
    expect(Math.max(...searchWords({ last_name: long }).map((word) => word.length))).toBe(64)
    expect(finds(long, { last_name: long })).toBe(true)
  })
})

test('last names are sorted whatever their case and accents, first names within', () => {
  const names = [
    { last_name: 'Zola', first_name: 'Émile' },
    { last_name: 'étienne', first_name: 'Bo' },
    { last_name: 'Etienne', first_name: 'Ada' },
    { last_name: null, first_name: 'Cher' },
  ]
  const sorted = names.toSorted((a, b) => (sortName(a) < sortName(b) ? -1 : 1))
  expect(sorted.map(({ first_name }) => first_name)).toEqual(['Cher', 'Ada', 'Bo', 'Émile'])
})
