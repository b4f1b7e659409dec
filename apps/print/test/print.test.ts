import { expect, test } from 'vitest'
import { newOnes } from '../src/printing/print.ts'

const entry = (guest_uid: string, access_stamp: string) => ({ guest_uid, access_stamp })

test('new badges are those of guests who are not known, once each, the first entry first, and none from before the station', () => {
  const entries = [
    entry('c', '3'),
    entry('b', '2'),
    entry('a', '4'),
    entry('b', '5'),
    entry('known', '6'),
    entry('early', '0'),
  ]
  expect(newOnes(entries, new Set(['known']), '1')).toEqual([entry('b', '2'), entry('c', '3'), entry('a', '4')])
})
