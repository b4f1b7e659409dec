import { expect, test } from 'vitest'
import { FairPauses } from './fair-pauses.ts'

const crowd = { event_id: 'e', partner_id: 'crowd' }
const few = { event_id: 'e', partner_id: 'few' }

test('a partner with many e-mails pauses as long as its job took, for a second after another with few had one', () => {
  const pauses = new FairPauses()
  expect(pauses.after(crowd, true, 40, 0)).toBe(0)
  expect(pauses.after(few, false, 3, 100)).toBe(0)
  expect(pauses.after(crowd, true, 40.2, 1_099)).toBe(41)
  expect(pauses.after(crowd, true, 40, 1_100)).toBe(0)
})

test('partners with many e-mails do not pause for each other, nor one for its own last e-mails', () => {
  const pauses = new FairPauses()
  expect(pauses.after(crowd, true, 40, 0)).toBe(0)
  expect(pauses.after(few, true, 40, 1)).toBe(0)
  expect(pauses.after(crowd, false, 3, 2)).toBe(0)
  expect(pauses.after(crowd, true, 40, 3)).toBe(0)
})

test('the last e-mails of a partner that has more than one job do not make it one with few', () => {
  const pauses = new FairPauses()
  expect(pauses.after({ ...crowd, lane: 2 }, false, 3, 0)).toBe(0)
  expect(pauses.after(few, true, 40, 1)).toBe(0)
})
