import { expect, test } from 'vitest'
import { fitted } from '../src/list/widths.ts'

/** A column of texts of several words, and one that is never shortened, such as of times and of e-mail addresses. */
const words = (wanted: number) => ({ wanted, least: Math.min(wanted, 160) })
const whole = (wanted: number) => ({ wanted, least: wanted })

test.each([
  ['as wide as what is in them, where all fit', [words(200), whole(300)], 500, [200, 300]],
  ['as wide as what is in them, however long that is, where all fit', [words(700), whole(300)], 1000, [700, 300]],
  [
    'narrower where not all fit, the widest first, to the same width',
    [words(100), words(480), words(400)],
    700,
    [100, 300, 300],
  ],
  ['never narrower than what has no words to be shortened', [whole(400), words(400), words(300)], 800, [400, 200, 200]],
  ['as wide as is readable where nothing makes all fit', [whole(400), words(400), words(300)], 700, [400, 320, 300]],
  [
    'as narrow as they may be where nothing makes all fit and one is to be in sight whole',
    [words(400), { ...whole(400), isWhole: true }, words(300)],
    700,
    [160, 400, 160],
  ],
])('columns are %s', (_, columns, room, widths) => {
  expect(fitted(columns, room)).toEqual(widths)
})
