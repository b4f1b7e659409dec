import { describe, expect, test } from 'vitest'
import type { DrillClient } from '../client.ts'
import type { Invariant } from '../invariants.ts'
import { DrillRecord } from '../record.ts'
import { violationsOf } from '../report.ts'
import { compareAcceptances, type InvitedGuest } from './accepting.ts'
import type { InvitingCampaign, MailDrillEvent } from './campaigns.ts'
import {
  compareAnswers,
  compareCounters,
  compareStops,
  compareTaken,
  type ListedInvitation,
  recount,
  watchQuota,
} from './mail-comparing.ts'
import type { HandOverAttempt } from './mail-server.ts'

const ADA = 'ada@example.org'
const BOB = 'bob@example.org'
const CAMPAIGN: InvitingCampaign = {
  name: 'campaign',
  id: 'campaign',
  type: 'type',
  partner: 'partner',
  token: 'token',
  quota: 1,
  recipients: [ADA, BOB],
}
const PROBE: InvitingCampaign = { ...CAMPAIGN, id: 'probe', name: 'probe', partner: 'prober' }
const EVENT: MailDrillEvent = { partners: [{ id: 'partner', quota: 1, campaigns: [CAMPAIGN] }], probe: PROBE }

const listed = (_id: string, email: string, more: Partial<ListedInvitation> = {}): ListedInvitation => ({
  _id,
  email,
  state: 'sent',
  sent_at: '2026-05-01T08:30:00.000Z',
  answer: null,
  confirmed_at: null,
  created_at: '2026-05-01T08:30:00.000Z',
  ...more,
})

const attempt = (id: string, address: string, at = 0, isTaken = true): HandOverAttempt => ({
  kind: 'invitation',
  id,
  address,
  at,
  isTaken,
})

/** A client of a system whose lists of the campaign and whose counters are these. */
function clientWith(invitations: ListedInvitation[], counters: object = {}, record = new DrillRecord(1)): DrillClient {
  const read = async (): Promise<object> => counters
  const list = async (path: string): Promise<ListedInvitation[]> => (path.includes('/probe/') ? [] : invitations)
  const phase = { waitFor: () => {} }
  return { record, phase, read, list, ask: async () => ({ body: counters }) } as unknown as DrillClient
}

const recounted = (invitations: ListedInvitation[]) => recount(clientWith(invitations), EVENT)

const broken = (record: DrillRecord, invariant: Invariant): string => violationsOf(record, invariant).join('\n')

/** A record in which recipients were answered. */
function answered(answers: { [address: string]: string | null }): DrillRecord {
  const record = new DrillRecord(1)
  for (const [address, id] of Object.entries(answers)) record.told(CAMPAIGN, address, id)
  return record
}

test('who is accepted, listed, sent to once, and counted breaks nothing; nor does who is beyond the quota', async () => {
  const record = answered({ [ADA]: 'one', [BOB]: null })
  const counted = await recounted([listed('one', ADA)])
  compareAnswers(record, counted)
  compareTaken(record, [attempt('one', ADA)], counted)
  compareStops(record, [attempt('one', ADA)], EVENT, counted)
  expect(record.violations).toEqual([])
})

describe('accounted is broken where', () => {
  test.each([
    ['an accepted recipient is not listed', { [ADA]: 'one' }, []],
    ['an accepted recipient is not listed', { [ADA]: 'one' }, [listed('other', ADA)]],
    ['a recipient beyond the quota is listed', { [ADA]: null }, [listed('one', ADA)]],
    ['a recipient is listed whom nobody invited', {}, [listed('one', ADA)]],
    ['a recipient is listed twice', { [ADA]: 'one' }, [listed('one', ADA), listed('one', ADA)]],
    ['a recipient has come to no end', { [ADA]: 'one' }, [listed('one', ADA, { state: 'queued' })]],
  ] as const)('%s', async (kind, answers, invitations) => {
    const record = answered(answers)
    compareAnswers(record, await recounted([...invitations]))
    expect(broken(record, 'accounted')).toContain(kind)
  })

  test('an accepted recipient is answered otherwise later', () => {
    const record = answered({ [ADA]: 'one' })
    record.told(CAMPAIGN, ADA, null)
    expect(broken(record, 'accounted')).toContain('an accepted recipient is answered otherwise later')
  })
})

test('mailedOnce is broken where a recipient gets two e-mails of a campaign, and where one goes to nobody on the list', async () => {
  const record = new DrillRecord(1)
  const attempts = [attempt('one', ADA), attempt('one', ADA), attempt('two', BOB)]
  compareTaken(record, attempts, await recounted([listed('one', ADA)]))
  expect(broken(record, 'mailedOnce')).toContain('a recipient got more than one e-mail')
  expect(broken(record, 'mailedOnce')).toContain('an e-mail went to an address that is not listed')
})

test.each([
  ['is sent and was not taken', 'sent', 0],
  ['is rejected and was taken', 'rejected', 1],
  ['is blocked and was taken', 'blocked', 1],
])('outcomes is broken where an e-mail %s', async (_, state, times) => {
  const record = new DrillRecord(1)
  const attempts = Array.from({ length: times }, () => attempt('one', ADA))
  compareTaken(record, attempts, await recounted([listed('one', ADA, { state, sent_at: null })]))
  expect(broken(record, 'outcomes')).toContain('a state is not what the mail server did')
})

test('quota is broken where more recipients got e-mails, have places, or are shown than it allows', async () => {
  const invitations = [listed('one', ADA), listed('two', BOB)]
  const mailed = new DrillRecord(1)
  compareTaken(mailed, [attempt('one', ADA), attempt('two', BOB)], await recounted(invitations))
  expect(broken(mailed, 'quota')).toContain('more recipients got e-mails than the quota allows')
  const placed = new DrillRecord(0)
  await compareCounters(clientWith([], {}, placed), EVENT, await recounted(invitations))
  expect(broken(placed, 'quota')).toContain('campaign: 2 of 1')
  const shown = new DrillRecord(1)
  await watchQuota(clientWith([], { used: 2 }, shown), CAMPAIGN)
  expect(broken(shown, 'quota')).toContain('a quota is exceeded')
})

test('recounted is broken where a counter differs from the list', async () => {
  const record = new DrillRecord(0)
  const counted = await recounted([listed('one', ADA)])
  const counters = { ...counted.total, nb_email_sent: 2 }
  await compareCounters(clientWith([], counters, record), EVENT, counted)
  expect(broken(record, 'recounted')).toContain('campaign: nb_email_sent is 2, counted 1')
})

describe('stopped is broken where', () => {
  const stopped = async (record: DrillRecord, attempts: HandOverAttempt[]): Promise<string> => {
    compareStops(record, attempts, EVENT, await recounted(attempts.map(({ id, address }) => listed(id, address))))
    return broken(record, 'stopped')
  }
  const many = (count: number) => Array.from({ length: count }, (_, n) => attempt(`${n}`, `${n}@example.org`, 1_000))

  test('more e-mails leave after disable_emails than a batch has', async () => {
    const halted = (): DrillRecord => {
      const record = new DrillRecord(1)
      record.halts.push({ partner: 'partner', from: 500, to: 1_500, tried: 1 })
      return record
    }
    expect(await stopped(halted(), many(20))).toBe('')
    expect(await stopped(halted(), many(21))).toContain('more e-mails left after disable_emails')
  })

  test('an e-mail begins to leave long after its recipient was blocked', async () => {
    const blocked = (): DrillRecord => {
      const record = new DrillRecord(1)
      record.stops.push({ why: 'blocked', address: ADA, at: 1_000 })
      return record
    }
    expect(await stopped(blocked(), [attempt('one', ADA, 15_000)])).toBe('')
    expect(await stopped(blocked(), [attempt('one', ADA, 17_000)])).toContain('an address that was stopped')
  })
})

describe('invited', () => {
  const guest = (uid: string, more: Partial<InvitedGuest> = {}): InvitedGuest => ({
    uid,
    email: ADA,
    last_name: 'Accepted0',
    ...more,
  })
  const compared = async (answer: string | null, guests: InvitedGuest[], hasAccepted = true): Promise<string> => {
    const record = new DrillRecord(1)
    if (hasAccepted) record.acceptances.set('one', { address: ADA, last_name: 'Accepted0' })
    compareAcceptances(record, await recounted([listed('one', ADA, { answer })]), guests)
    return broken(record, 'invited')
  }

  test('is kept where who has accepted is one guest', async () => {
    expect(await compared('accepted', [guest('ada')])).toBe('')
  })

  test('is broken where who has accepted is no guest, another one, or two, or is not listed so', async () => {
    expect(await compared('accepted', [])).toContain('a recipient who has accepted is no guest')
    expect(await compared('accepted', [guest('ada', { email: BOB })])).toContain('is no guest')
    expect(await compared('accepted', [guest('ada'), guest('ada2')])).toContain('is more than one guest')
    expect(await compared(null, [guest('ada')])).toContain('an answered acceptance is not listed')
  })

  test('is broken where a guest has come of no acceptance, or one is listed that nobody gave', async () => {
    expect(await compared('accepted', [guest('ada'), guest('eve', { last_name: null })])).toContain('of no acceptance')
    expect(await compared('accepted', [], false)).toContain('an acceptance is listed that nobody gave')
  })
})
