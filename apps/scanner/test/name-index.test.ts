import type { KnownGuest } from '@gatehouse/door/snapshot.ts'
import { expect, test } from 'vitest'
import { NameIndex } from '../src/offline/name-index.ts'

const guest = (first_name: string | null, last_name: string | null, more = {}): KnownGuest => ({
  guest_category_id: 'vip',
  access_privileges: [],
  first_name,
  last_name,
  ...more,
})
const guests = new Map([
  ['ada', guest('Ada', 'Lovelace', { company_name: 'Analytical Engines', position: 'Mathematician' })],
  ['byron', guest('Ada', 'Byron')],
  ['jose', guest('José', 'Müller-Łódź')],
  ['nameless', { guest_category_id: 'vip', access_privileges: [] }],
])
const found = (words: string, most = 20) => new NameIndex().find(guests, words, most).map(([key]) => key)

test('each word begins a word of the name, company or position, in any order and case, with or without accents', () => {
  expect(found('ada')).toEqual(['ada', 'byron'])
  expect(found('LOVE ada')).toEqual(['ada'])
  expect(found('ada engines')).toEqual(['ada'])
  expect(found('mathe ENG')).toEqual(['ada'])
  expect(found('jose mull')).toEqual(['jose'])
  expect(found('José')).toEqual(['jose'])
  expect(found('da')).toEqual([])
})

test('no words find nobody, and no more are found than asked for', () => {
  expect(found(' ')).toEqual([])
  expect(found('-')).toEqual([])
  expect(found('ada', 1)).toEqual(['ada'])
})
