import { describe, expect, test } from 'vitest'
import { DrillRecord } from '../record.ts'
import { violationsOf } from '../report.ts'
import type { InvitingCampaign } from './campaigns.ts'
import { compareConfirmations } from './confirming.ts'
import type { ListedInvitation, MailRecount } from './mail-comparing.ts'
import type { HandOverAttempt } from './mail-server.ts'

const ADA = 'ada@example.org'
const MINUTE_MS = 60_000

const attempt = (at = 0, more: Partial<HandOverAttempt> = {}): HandOverAttempt => ({
  kind: 'confirmation',
  id: 'one',
  address: ADA,
  at,
  isTaken: true,
  ...more,
})

/** Lists in which Ada has accepted. */
function listed(confirmed_at: string | null, category = 'confirming'): MailRecount {
  const campaign = { category } as InvitingCampaign
  const each = { _id: 'one', email: ADA, answer: 'accepted', confirmed_at } as ListedInvitation
  return { byCampaign: new Map([['campaign', { campaign, listed: [each], numbers: {} as never }]]), total: {} as never }
}

const NOTED = listed('2026-05-01T08:30:00.000Z')
const NOT_NOTED = listed(null)

describe('confirmed', () => {
  const compared = (
    attempts: HandOverAttempt[],
    lists: MailRecount,
    arrange: (record: DrillRecord) => void = () => {},
  ): string => {
    const record = new DrillRecord(1)
    record.acceptances.set('one', { address: ADA, last_name: 'Accepted0' })
    arrange(record)
    compareConfirmations(record, attempts, lists, new Set(['confirming']))
    return violationsOf(record, 'confirmed').join('\n')
  }
  const fault = (from: number) => (record: DrillRecord) =>
    void record.faults.push({ what: 'kill', name: 'mail', from, to: from + 1_000, back: from + 2_000 })

  test('is kept where a guest got one, and where a category has none', () => {
    expect(compared([attempt()], NOTED)).toBe('')
    expect(compared([attempt(0, { id: '', isTaken: false }), attempt(1_000)], NOTED)).toBe('')
    expect(compared([], listed(null, 'another'))).toBe('')
  })

  test('is kept where it came again since its answer was lost, or after a fault before that was noted', () => {
    expect(compared([attempt(0, { end: 'cut' }), attempt(1_000)], NOTED)).toBe('')
    expect(compared([attempt(), attempt(2 * MINUTE_MS)], NOTED, fault(1_000))).toBe('')
  })

  test('is kept where it is missing since the recipient was stopped, or the mail server refused it', () => {
    const stopped = (record: DrillRecord) => void record.stops.push({ why: 'blocked', address: ADA, at: 0 })
    expect(compared([], NOT_NOTED, stopped)).toBe('')
    expect(compared([attempt(0, { id: '', isTaken: false, end: 'refused' })], NOT_NOTED)).toBe('')
  })

  test('is broken where a guest got none, or it is not noted, or noted and was not taken', () => {
    expect(compared([], NOT_NOTED)).toContain('a guest got no confirmation')
    expect(compared([attempt()], NOT_NOTED)).toContain('a guest got no confirmation')
    expect(compared([], NOTED)).toContain('a confirmation is listed that the mail server did not take')
  })

  test('is broken where it came again without a fault, or with one that came earlier or much later', () => {
    const twice = [attempt(0), attempt(MINUTE_MS)]
    expect(compared(twice, NOTED)).toContain('a confirmation came again')
    expect(compared(twice, NOTED, fault(-5_000))).toContain('a confirmation came again')
    expect(compared(twice, NOTED, fault(40_000))).toContain('a confirmation came again')
  })

  test('is broken where it went to someone who has not accepted, or whose category has none', () => {
    const strange = 'a confirmation went to no guest who gets one'
    expect(compared([attempt(), attempt(0, { id: 'other' })], NOTED)).toContain(strange)
    expect(compared([attempt()], listed(null, 'another'))).toContain(strange)
  })
})
