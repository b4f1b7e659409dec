import { Message } from '@gatehouse/proto/declaring/messages.ts'
import { describe, expect, test } from 'vitest'
import { readMoment } from './moments.ts'

const now = new Date('2026-06-01T00:00:00Z')
const rules = { zone: 'Europe/Berlin', now }

/** The moment in ISO 8601, and `~` if it has no seconds. */
function read(text: string, given: Partial<Parameters<typeof readMoment>[1]> = {}): string {
  const moment = readMoment(text, { ...rules, ...given })
  return moment instanceof Message ? String(moment) : `${moment.isMinute ? '~' : ''}${moment.at.toISOString()}`
}

describe('a time with an offset is that moment', () => {
  test.each([
    ['2026-05-04T18:05:09Z', '2026-05-04T18:05:09.000Z'],
    ['2026-05-04T18:05:09.123456+02:00', '2026-05-04T16:05:09.123Z'],
    ['2026-05-04 18:05:09 UTC', '2026-05-04T18:05:09.000Z'],
    ['2026-05-04 18:05:09 -0530', '2026-05-04T23:35:09.000Z'],
    ['2026-05-04 18:05+02', '~2026-05-04T16:05:00.000Z'],
  ])('%s', (text, moment) => expect(read(text)).toBe(moment))
})

describe('a time without an offset is that of the clocks at the event', () => {
  test.each([
    ['2026-05-04 18:05:09', '2026-05-04T16:05:09.000Z'],
    ['2026-01-04 18:05', '~2026-01-04T17:05:00.000Z'],
    ['04.05.2026 18:05', '~2026-05-04T16:05:00.000Z'],
    ['4.5.2026, 18:05 Uhr', '~2026-05-04T16:05:00.000Z'],
    ['2026-05-04 6:05 p.m.', '~2026-05-04T16:05:00.000Z'],
    ['May 4, 2026 6:05 PM', '~2026-05-04T16:05:00.000Z'],
    ['Mon, May 4, 2026 at 12:05 AM', '~2026-05-03T22:05:00.000Z'],
    ['4. Mai 2026 um 18:05', '~2026-05-04T16:05:00.000Z'],
    ['05/14/2026 6 p.m.', '~2026-05-14T16:00:00.000Z'],
    ['2026-05-04 noon', '~2026-05-04T10:00:00.000Z'],
  ])('%s', (text, moment) => expect(read(text)).toBe(moment))

  test('in the night in which clocks are set back, the earlier one of two', () => {
    const autumn = { now: new Date('2027-01-01T00:00:00Z') }
    expect(read('2026-10-25 02:30:00', autumn)).toBe('2026-10-25T00:30:00.000Z')
  })
})

test('a date that may be two days is refused until the order is said', () => {
  expect(read('04/05/2026 18:05')).toBe('"04/05/2026" may be two days')
  expect(read('04/05/2026 18:05', { dates: 'dmy' })).toBe('~2026-05-04T16:05:00.000Z')
  expect(read('04/05/2026 18:05', { dates: 'mdy' })).toBe('~2026-04-05T16:05:00.000Z')
  expect(read('05/05/2026 18:05')).toBe('~2026-05-05T16:05:00.000Z')
})

describe('what is no moment is refused in a sentence', () => {
  test.each([
    ['soon', '"soon" is not a date and time'],
    ['2026-05-04', '"2026-05-04" has no time of day'],
    ['2026-02-30 10:00', '"2026-02-30 10:00" is not a date and time'],
    ['2026-05-04 25:00', '"2026-05-04 25:00" is not a date and time'],
    ['2026-05-04 13:00 pm', '"2026-05-04 13:00 pm" is not a date and time'],
    ['4 Foo 2026 10:00', '"4 Foo 2026 10:00" is not a date and time'],
    ['2026-07-04 10:00', '"2026-07-04 10:00" is in the future'],
  ])('%s', (text, sentence) => expect(read(text)).toBe(sentence))
})
