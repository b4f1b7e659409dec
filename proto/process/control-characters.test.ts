import { expect, test } from 'vitest'
import { escapeControls, escapeValue } from './control-characters.ts'

const codes = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => String.fromCharCode(from + n))
const CONTROLS = [
  ...codes(0, 0x1f).filter((each) => each !== '\t' && each !== '\n'),
  ...codes(0x7f, 0x9f),
  ...codes(0x2028, 0x202e),
  ...codes(0x2066, 0x2069),
  ...['\u061c', '\u200e', '\u200f'],
]

test('each control character is escaped as in JSON, and nothing else is', () => {
  for (const each of CONTROLS) {
    const escaped = escapeControls(`a${each}b`)
    expect(escaped).toMatch(/^a\\u[0-9a-f]{4}b$/)
    expect(JSON.parse(`"${escaped}"`)).toBe(`a${each}b`)
  }
  const text = 'Zoë 𠮷\tLe\u0301a 👩\u200d🚀 שלום\nالسلام'
  expect(escapeControls(text)).toBe(text)
})

test('JSON whose controls are escaped is the same JSON', () => {
  const value = { name: CONTROLS.join(''), 'a\u009bkey': '\u202e' }
  expect(JSON.parse(escapeControls(JSON.stringify(value)))).toEqual(value)
})

test('a value has no tabs and line feeds, which would make other columns and lines of it', () => {
  expect(escapeValue('a\tb\nc\x1b[2J')).toBe('a\\tb\\nc\\u001b[2J')
})
