import { expect, test } from 'vitest'
import { Rests } from './rests.ts'

const crowd = { event_id: 'e', partner_id: 'crowd' }
const few = { event_id: 'e', partner_id: 'few' }

test('a partner with many e-mails rests as long as its turn took, for a second after another with few had one', () => {
  const rests = new Rests()
  expect(rests.after(crowd, true, 40, 0)).toBe(0)
  expect(rests.after(few, false, 3, 100)).toBe(0)
  expect(rests.after(crowd, true, 40.2, 1_099)).toBe(41)
  expect(rests.after(crowd, true, 40, 1_100)).toBe(0)
})

test('partners with many e-mails do not rest for each other, nor one for its own last e-mails', () => {
  const rests = new Rests()
  expect(rests.after(crowd, true, 40, 0)).toBe(0)
  expect(rests.after(few, true, 40, 1)).toBe(0)
  expect(rests.after(crowd, false, 3, 2)).toBe(0)
  expect(rests.after(crowd, true, 40, 3)).toBe(0)
})
