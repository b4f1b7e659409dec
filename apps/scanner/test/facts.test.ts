import { speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { ageOf, timeOf } from '../../shared/src/view/time.ts'
import { outcomeOf } from '../src/scanning/outcome.ts'
import type { StoredScan } from '../src/scanning/scan.ts'
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { factsOf, wordOf } from '../src/view/facts.ts'

const say = speakerOf(en)
const NOW = Date.parse('2027-05-01T12:00:00Z')
const stamp = new Date().toISOString()

beforeEach(() => {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  vi.stubGlobal('navigator', { languages: ['en', 'fr-CA'] })
})

/** What the sheet says of a scan that the server has judged. */
function said(scan: Partial<StoredScan>): [word: string, ...facts: string[]] {
  const outcome = outcomeOf(1, { access_status: 0, decided_offline: null, problem: null, ...scan } as StoredScan)
  return [wordOf(outcome, say), ...factsOf(outcome, say, (id) => (id === 'gate-b' ? 'Gate B' : undefined))]
}

test('a guest who was in already: when, and where if that is known; otherwise only that', () => {
  const before = (accesspoint_id: string) => ({
    access_status: 3 as const,
    granted_before: { access_stamp: stamp, accesspoint_id },
  })
  const time = timeOf(stamp)
  expect(said(before('gate-b'))).toEqual([en.too_many, `In already at ${time}, Gate B`])
  expect(said(before('elsewhere'))).toEqual([en.too_many, `In already at ${time}`])
  expect(said({ access_status: 3, granted_before: null })).toEqual([en.too_many, en.too_many_text])
})

test('a guest at the wrong time: from when, if that is known; without a right: that', () => {
  const refused = (reason?: string, opens_at?: string) => said({ access_status: 2, reason, opens_at })
  expect(refused('too_early', stamp)).toEqual([en.too_early, `From ${timeOf(stamp)}`])
  expect(refused('too_early')).toEqual([en.too_early, en.too_early_text])
  expect(refused('too_late')).toEqual([en.too_late, en.too_late_text])
  for (const reason of ['no_right', undefined])
    expect(refused(reason)).toEqual([en.not_authorized, en.not_authorized_text])
})

test('a party: its size, and how many more may enter, if that is known', () => {
  expect(said({ party_size: 4, persons_left: 2 })).toEqual([en.granted, 'Party of 4', '2 more may enter'])
  expect(said({ party_size: 4, persons_left: 6 })).toEqual([en.granted, 'Party of 4', '6 more may enter'])
  expect(said({ party_size: 4 })).toEqual([en.granted, 'Party of 4'])
  expect(said({ party_size: 1, persons_left: 0 })).toEqual([en.granted])
})

test('a refusal of this device alone says so; the words of the server stand as they are', () => {
  expect(said({ access_status: null, decided_offline: 1 })).toEqual([en.unknown, en.unknown_text, en.refused_alone])
  expect(said({ access_status: null, problem: 'No' })).toEqual([en.problem, 'No'])
})

test.each([
  ['2027-05-01T11:59:48Z', '12 sec'],
  ['2027-05-01T11:58:00Z', '2 min'],
  ['2027-05-01T11:00:01Z', '59 min'],
  ['2027-05-01T09:00:00Z', '3 hr'],
  // The clock of the phone was corrected meanwhile.
  ['2027-05-01T12:00:05Z', 'now'],
])('a scan of %s is %s old', (stamp, age) => {
  expect(ageOf(stamp, NOW, 'en')).toBe(age)
})

test('a time of another day has its date', () => {
  expect(timeOf('2027-05-01T10:00:00Z', NOW)).not.toMatch(/May|5/)
  expect(timeOf('2027-04-11T10:00:00Z', NOW)).toMatch(/11/)
})

test('times are written as in the language of the page, not in that of the browser itself', () => {
  const yesterday = new Date(NOW - 86_400_000).toISOString()
  expect(timeOf(yesterday, NOW)).toMatch(/^30 Apr, \d\d:\d\d$/)
  vi.stubGlobal('navigator', { languages: ['en-US'] })
  expect(timeOf(yesterday, NOW)).toMatch(/^Apr 30, \d\d:\d\d [AP]M$/)
  vi.stubGlobal('document', { documentElement: { lang: 'de' } })
  expect(timeOf(yesterday, NOW)).toMatch(/^30\. Apr\.,? \d\d:\d\d$/)
})
