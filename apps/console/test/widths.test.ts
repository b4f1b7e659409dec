import { expect, test } from 'vitest'
import { fitted } from '../src/list/widths.ts'

/** A column of texts of several words, one of e-mail addresses, which are never shortened, and one of times, which are not either but may have two lines. */
const words = (wanted: number) => ({
  wanted,
  ...{ wantedFolded: wanted / 2, leastFolded: Math.min(wanted / 2, 96), unfolded: wanted },
})
const whole = (wanted: number) => ({
  wanted,
  ...{ wantedFolded: wanted, leastFolded: wanted, unfolded: wanted },
})
const times = (wanted: number) => ({
  wanted,
  ...{ wantedFolded: wanted / 2, leastFolded: wanted / 2, unfolded: wanted },
})

test.each([
  ['as wide as what is in them, where all fit', [words(200), whole(300)], 500, [200, 300]],
  ['as wide as what is in them, however long that is, where all fit', [words(700), whole(300)], 1000, [700, 300]],
])('columns are %s', (_, columns, room, widths) => {
  expect(fitted(columns, room)).toEqual({ widths, isFolded: false })
})

test.each([
  ['share what is left', [whole(400), words(400), words(300)], 800, [400, 228, 171]],
  [
    'have one line first if they are to be seen whole',
    [whole(400), words(300), { ...words(400), isWhole: true }],
    960,
    [400, 160, 400],
  ],
  ['have one line, where that leaves two to the others', [whole(400), words(400), words(300)], 920, [400, 220, 300]],
  ['give way, the widest first', [whole(400), words(400), words(300)], 700, [400, 150, 150]],
  [
    'are no wider than is readable where nothing makes all fit',
    [whole(400), words(400), words(300)],
    550,
    [400, 160, 150],
  ],
  ['of times may have two lines, too', [times(200), times(200), whole(300)], 550, [125, 125, 300]],
])('where not all columns fit in one line, cells have two: columns %s', (_, columns, room, widths) => {
  expect(fitted(columns, room)).toEqual({ widths, isFolded: true })
})
