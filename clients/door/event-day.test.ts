import fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentShown, shownAt } from './event-day.ts'

const at = (text: string): number => Date.parse(`${text}Z`)

test.each([
  ['2026-12-03T19:00', 'Europe/Berlin', '2026-12-03T18:00'],
  ['2026-07-03T19:00', 'Europe/Berlin', '2026-07-03T17:00'],
  ['2026-07-03T19:00', 'America/St_Johns', '2026-07-03T21:30'],
  ['2026-12-31T23:30', 'Pacific/Kiritimati', '2026-12-31T09:30'],
  // Clocks are set back at 03:00 to 02:00: the earlier of two.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30'],
  // They are set forward at 02:00 to 03:00: what they skip.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30'],
  // Hours before clocks are set back, far from UTC.
  ['2026-04-05T00:30', 'Australia/Sydney', '2026-04-04T13:30'],
  ['2027-04-04T00:30', 'Australia/Lord_Howe', '2027-04-03T13:30'],
  ['2026-11-01T00:30', 'America/New_York', '2026-11-01T04:30'],
])('clocks show %s in %s at %s in UTC', (shown, zone, moment) => {
  expect(new Date(momentShown(at(shown), zone)).toISOString().slice(0, 16)).toBe(moment)
})

test('what clocks show at a moment is shown at that moment, or an hour before where they are set back', () => {
  const zones = fc.constantFrom('UTC', 'Europe/London', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe')
  const minutes = fc.integer({ min: at('2026-01-01T00:00') / 60_000, max: at('2028-01-01T00:00') / 60_000 })
  fc.assert(
    fc.property(minutes, zones, (minute, zone) => {
      const moment = momentShown(shownAt(minute * 60_000, zone), zone)
      expect(shownAt(moment, zone)).toBe(shownAt(minute * 60_000, zone))
      expect([0, 30, 60]).toContain(minute - moment / 60_000)
    }),
  )
})
