import { slow } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'
import { shownText, textKey } from './text.ts'

test('a text is shown in upper case, without blanks around it', () => {
  expect(shownText(' summer-26 ')).toBe('SUMMER-26')
  expect(shownText('straße')).toBe('STRASSE')
  expect(shownText('e\u0301te\u0301')).toBe('ÉTÉ')
})

test.each([
  ['summer', 'SUMMER'],
  ['été', 'ÉTÉ', 'e\u0301te\u0301'],
  ['straße', 'STRASSE', 'STRAẞE', 'Strasse'],
  ['ﬁrst', 'FIRST'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς', 'οδυσσευσ'],
  ['istanbul', 'İSTANBUL', 'ISTANBUL', 'ıstanbul', 'i\u0307stanbul'],
  ['ｓｕｍｍｅｒ', 'SUMMER'],
  ['ŉ', 'ʼN'],
  ['ΐ', '\u03aa\u0301'],
])('%s and the like are one code', (...texts) => {
  expect(new Set(texts.map(textKey)).size).toBe(1)
})

test.each([
  ['ete', 'été'],
  ['a b', 'ab'],
  ['o', '0'],
  ['ss', 's'],
])('%s and %s are two codes', (one, other) => {
  expect(textKey(one)).not.toBe(textKey(other))
})

test('the cases and forms of every Unicode character have one key, and a key is its own key', slow, () => {
  const wrong: string[] = []
  for (let point = 1; point <= 0x2_ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue
    const character = String.fromCodePoint(point)
    const key = textKey(character)
    const others = [
      character.toLowerCase(),
      character.toUpperCase(),
      character.normalize('NFD'),
      shownText(character),
      shownText(character).toLowerCase(),
      key,
    ]
    if (others.some((other) => textKey(other) !== key)) wrong.push(`${character} U+${point.toString(16)}`)
  }
  expect(wrong).toEqual([])
})
