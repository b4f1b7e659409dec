import { expect, test } from 'vitest'
import { directionOf, isolated } from './direction.ts'
import { speakerOf } from './languages.ts'

test('a text is read in the direction of its first letter', () => {
  expect(['Ada', '2026 (דנה)', '**مرحبا** Ada', '王', '2026!'].map(directionOf)).toEqual([
    'ltr',
    'rtl',
    'rtl',
    'ltr',
    undefined,
  ])
})

test('a value from right to left is isolated in the sentence around it, any other one is not touched', () => {
  const say = speakerOf({ arrived: '{guest} has arrived ({count})' })
  expect(say('arrived', { guest: 'محمد', count: 2 })).toBe('\u2068محمد\u2069 has arrived (2)')
  expect(say('arrived', { guest: 'Zoë', count: 2 })).toBe('Zoë has arrived (2)')
  expect(isolated('Acme (דנה)')).toBe('\u2068Acme (דנה)\u2069')
})
