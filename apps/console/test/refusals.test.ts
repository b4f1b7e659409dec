import { eventTypes } from '@gatehouse/proto/events/domain-events.ts'
import { tags, textsOf } from '@gatehouse/proto/pages/languages.ts'
import { expect, test } from 'vitest'
import { refusalWords } from '../src/check-ins/refusal.ts'
import { timesIn } from '../src/texts/times.ts'
import { type TextKey, textsSpeakerOf } from '../src/texts/words.ts'

const languages = await textsOf<TextKey>(
  (tag) => import(`../src/texts/languages/${tag}.json`, { with: { type: 'json' } }),
)
const points = new Map([
  ['p', 'North'],
  ['other', 'South'],
])
const en = textsSpeakerOf(languages.en, 'en-GB')
const inBerlin = timesIn('en-GB', 'Europe/Berlin')
const scan = { access_stamp: '2026-12-03T16:50:00Z', accesspoint_id: 'p' }
const words = (item: object) => refusalWords(en, inBerlin, { ...scan, ...item }, points)
const early = (opens_at: string) => words({ access_status: 2, reason: 'too_early', opens_at })
const used = (item: object) => words({ access_status: 3, reason: 'used_up', ...item })

test('a refusal says in the event’s time when its right begins, with the day where that is another one', () => {
  expect(early('2026-12-03T17:00:00Z')).toEqual(['opens at 18:00'])
  expect(early('2026-12-04T17:00:00Z')).toEqual(['opens on 4\u00a0Dec\u00a02026, 18:00\u00a0CET'])
})

test('a refusal says when the guest was let in before, where if that was elsewhere, and how many may still come in', () => {
  const granted_before = { access_stamp: '2026-12-03T16:42:00Z', accesspoint_id: 'p', persons: 1 }
  expect(used({ granted_before })).toEqual(['was let in at 17:42'])
  expect(used({ granted_before: { ...granted_before, accesspoint_id: 'other' } })).toEqual([
    'was let in at 17:42 at South',
  ])
  expect(used({ granted_before: { ...granted_before, accesspoint_id: 'gone' } })).toEqual(['was let in at 17:42'])
  const earlier = { ...granted_before, accesspoint_id: 'other', access_stamp: '2026-12-02T16:42:00Z' }
  expect(used({ granted_before: earlier, persons_left: 2 })).toEqual([
    'was let in on 2\u00a0Dec\u00a02026, 17:42\u00a0CET at South',
    'may still come in: 2',
  ])
})

test('a refusal without details is said by its result and reason alone, a grant by its result', () => {
  expect(words({ access_status: 2, reason: 'no_right' })).toEqual(['no right here'])
  expect(used({})).toEqual([])
  expect(words({ access_status: 0, reason: null, persons_left: 0 })).toEqual([])
})

test.each(tags)('what webhooks are told of, and the details of refusals, have words in %s', (tag) => {
  const say = textsSpeakerOf(languages[tag], tag)
  for (const type of eventTypes) expect(say.knows(`choice_${type}`), type).toBe(true)
  const times = timesIn(tag, 'Europe/Berlin')
  const details = { access_status: 2, reason: 'too_early', opens_at: '2026-12-03T17:00:00Z' }
  expect(refusalWords(say, times, { ...scan, ...details }, points).join()).not.toMatch(/too_early|T17|\{/)
})
