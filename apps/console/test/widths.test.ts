import { expect, test } from 'vitest'
import { fitted } from '../src/list/widths.ts'

/** A column of texts of several words, one of e-mail addresses, which are never shortened, and one of times, which are not either but may have two lines. */
const words = (wanted: number) => ({ wanted, least: Math.min(wanted, 160), folded: Math.min(wanted, 96) })
const whole = (wanted: number) => ({ wanted, least: wanted, folded: wanted })
const times = (wanted: number) => ({ wanted, least: wanted, folded: wanted / 2 })

test.each([
  ['as wide as what is in them, where all fit', [words(200), whole(300)], 500, [200, 300]],
  ['as wide as what is in them, however long that is, where all fit', [words(700), whole(300)], 1000, [700, 300]],
  [
    'narrower where not all fit, the widest first, to the same width',
    [words(100), words(480), words(400)],
    760,
    [100, 330, 330],
  ],
  [
    'never narrower than what has no words to be shortened',
    [whole(400), words(400), words(300)],
    1040,
    [400, 340, 300],
  ],
  ['as wide as is readable where nothing makes all fit', [whole(400), words(400), words(300)], 550, [400, 320, 300]],
  [
    'as narrow as they may be where nothing makes all fit and one is to be in sight whole',
    [words(400), { ...whole(400), isWhole: true }, words(300)],
    550,
    [160, 400, 160],
  ],
])('columns are %s', (_, columns, room, widths) => {
  expect(fitted(columns, room)).toEqual({ widths, isFolded: false })
})

test.each([
  ['of words that would be cut in one', [whole(400), words(400), words(300)], 800, [400, 200, 200]],
  ['of words', [whole(400), words(400), words(300)], 700, [400, 150, 150]],
  ['of times', [times(200), times(200), whole(300)], 550, [125, 125, 300]],
])('where no columns would fit otherwise, cells %s have two lines', (_, columns, room, widths) => {
  expect(fitted(columns, room)).toEqual({ widths, isFolded: true })
})
