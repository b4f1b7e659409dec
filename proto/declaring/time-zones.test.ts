import { describe, expect, test } from 'vitest'
import { timeZoneErrors, zoneOf } from './time-zones.ts'

describe('a time zone is known', () => {
  test.each([
    ['UTC', 'UTC'],
    ['Europe/Paris', 'Europe/Paris'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['Paris', 'Europe/Paris'],
    ['Eastern Time (US & Canada)', 'America/New_York'],
    ['Kyiv', 'Europe/Kiev'],
    ["Nuku'alofa", 'Pacific/Tongatapu'],
    ['St. Petersburg', 'Europe/Moscow'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['Romance Standard Time', 'Europe/Paris'],
    ['romance standard time', 'Europe/Paris'],
    ['AUS Eastern Standard Time', 'Australia/Sydney'],
  ])('%s', (name, zone) => {
    expect(zoneOf(name)).toBe(zone)
    expect(timeZoneErrors(name)).toEqual({})
    expect(Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone).toEqual(expect.any(String))
  })

  test.each(['Mars/Olympus', 'Europe/Atlantis', 'Local', '', 'constructor', 'a'.repeat(255)])('not %s', (name) => {
    expect(timeZoneErrors(name)).toEqual({ timezone: ['is not a time zone'] })
    expect(timeZoneErrors(name, name)).toEqual({})
  })
})
