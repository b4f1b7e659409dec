import type { Running } from '@gatehouse/proto/serving/run.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { sampled, slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'
import { beginBatch, leaseBatch, sendAll } from '../../testing/test-sending.ts'

// The test is the mail service, and reports what came back.

type Event = Record<string, unknown>

const BOUNCE = { type: 'bounced', reason: '550 5.1.1 No such user' }
const COMPLAINT = { type: 'complained' }
const UNSUBSCRIPTION = { type: 'unsubscribed' }

describe('mail events', () => {
  let system: System
  let processes: Running[]

  beforeAll(async () => {
    system = await startSystem({ with: ['promo'] })
    const start = () => startReplica('partners', system)
    processes = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    await Promise.all(processes?.map((each) => each.stop()) ?? [])
    await system?.stop()
  })

  const report = (events: Event[], init: Parameters<System['api']>[3] = {}): Promise<Answer> =>
    system.api('POST', 'mail_events.json', events, init)
  const reported = async (...events: Event[]): Promise<Answer['body']> => {
    const answer = await report(events)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  /** A campaign that has sent e-mails to `count` recipients; returns their invitations too. */
  const sentTo = async (count: number): Promise<{ campaign: TestCampaign; ids: string[] }> => {
    const campaign = await TestCampaign.open(system)
    await campaign.invite(addresses(count))
    return { campaign, ids: await sendAll(campaign) }
  }
  const invitationOf = async (campaign: TestCampaign, id: string): Promise<Answer['body']> =>
    (await campaign.invitations()).find(({ _id }) => _id === id)

  test('what came back is shown in the invitation, and counted in campaign and partner', slow, async () => {
    const { campaign, ids } = await sentTo(5)
    const [one, two, three, four, five] = ids
    const occurred_at = '2026-01-02T03:04:05.000Z'
    const answer = await reported(
      { invitation_id: one, ...BOUNCE, occurred_at },
      { message_id: `<${two}@gatehouse.example>`, ...COMPLAINT },
      { message_id: `${three}@gatehouse.example`, ...UNSUBSCRIPTION },
      { invitation_id: four, type: 'opened', occurred_at },
      { invitation_id: five, type: 'delivered' },
    )
    expect(answer).toMatchObject([
      { invitation_id: one, state: 'bounced', bounce_type: 'hard', occurred_at },
      { invitation_id: two, state: 'complained' },
      { invitation_id: three, state: 'unsubscribed' },
      { invitation_id: four, state: 'sent' },
      { invitation_id: five, state: 'sent' },
    ])
    expect(await invitationOf(campaign, one as string)).toMatchObject({ state: 'bounced', reason: BOUNCE.reason })
    expect(await invitationOf(campaign, four as string)).toMatchObject({ state: 'sent', opened_at: occurred_at })
    const counters = { bounced_recipients: 1, spammed_recipients: 1, unsubscribed_recipients: 1, nb_email_sent: 5 }
    expect(await campaign.counters()).toMatchObject({ ...counters, used: 5 })
    expect(await campaign.organizersView()).toMatchObject({
      ...counters,
      bounced_percentage: 0.2,
      spammed_percentage: 0.2,
      unsubscribed_percentage: 0.2,
    })
  })

  test(
    'in whatever order the outcome, a bounce, a complaint and an unsubscription come, they give the same',
    slow,
    async () => {
      const all = ['sent', 'bounced', 'complained', 'unsubscribed'] as const
      const check = async (order: (typeof all)[number][]) => {
        const campaign = await TestCampaign.open(system)
        await campaign.invite(addresses(1))
        const claim = await beginBatch(campaign)
        for (const each of order) {
          if (each === 'sent') await claim.sent(claim.ids)
          else await reported({ invitation_id: claim.ids[0], ...BOUNCE, type: each })
        }
        const counters = { bounced_recipients: 1, spammed_recipients: 1, unsubscribed_recipients: 1 }
        const sent = { nb_email_sent: 1, nb_recipients_email_sent: 1, unknown_recipients: 0, used: 1 }
        expect(await campaign.counters(), order.join()).toMatchObject({ ...counters, ...sent })
        expect(await campaign.organizersView(), order.join()).toMatchObject({ ...counters, nb_email_sent: 1 })
        const [invitation] = await campaign.invitations()
        expect(invitation, order.join()).toMatchObject({ state: 'complained', sent_at: expect.any(String) })
      }
      await Promise.all(sampled(permutations(all), 3).map(check))
    },
  )

  test('the same event twenty times at once, of a batch and of single ones, counts once', slow, async () => {
    const { campaign, ids } = await sentTo(3)
    const events = ids.flatMap((invitation_id) =>
      [BOUNCE, COMPLAINT, UNSUBSCRIPTION].map((event) => ({ invitation_id, ...event })),
    )
    await Promise.all(Array.from({ length: 20 }, () => reported(...events, ...events)))
    const counters = { bounced_recipients: 3, spammed_recipients: 3, unsubscribed_recipients: 3, nb_email_sent: 3 }
    expect(await campaign.counters()).toMatchObject(counters)
    await reported(...events)
    expect(await campaign.counters()).toMatchObject(counters)
  })

  test(
    'an e-mail whose fate was unknown was sent if anything but an unsubscription comes back, before or after that is found out',
    slow,
    async () => {
      const cases = ['delivered', 'bounced', 'complained', 'opened'].flatMap((type) => [
        { type, isBefore: true },
        { type, isBefore: false },
      ])
      const check = async ({ type, isBefore }: (typeof cases)[number]) => {
        const campaign = await TestCampaign.open(system)
        await campaign.invite(addresses(1))
        // Nobody reports an outcome.
        const { ids } = await beginBatch(campaign)
        const event = { invitation_id: ids[0], type }
        if (isBefore) await reported(event)
        await campaign.expireLeases()
        const isFound = async () => (await campaign.counters())[isBefore ? 'nb_email_sent' : 'unknown_recipients']
        await expect.poll(isFound, { interval: 1_000 }).toBe(1)
        if (!isBefore) expect(await campaign.invitations()).toMatchObject([{ state: 'unknown' }])
        if (!isBefore) await Promise.all([reported(event), reported(event)])
        const counters = { nb_email_sent: 1, nb_recipients_email_sent: 1, unknown_recipients: 0, used: 1 }
        const counted = type === 'bounced' ? 1 : 0
        expect(await campaign.counters(), type).toMatchObject({ ...counters, bounced_recipients: counted })
        const shown = type === 'bounced' || type === 'complained' ? type : 'sent'
        expect(await campaign.invitations(), type).toMatchObject([{ state: shown, sent_at: expect.any(String) }])
      }
      await Promise.all(cases.map(check))
    },
  )

  test('an invitation that waits for another attempt is not sent again if something came back: the mail server had taken it', async () => {
    const campaign = await TestCampaign.open(system)
    await campaign.invite(addresses(1))
    const [{ _id }] = (await campaign.invitations()) as [{ _id: string }]
    await reported({ invitation_id: _id, ...BOUNCE })
    expect(await sendAll(campaign)).toEqual([])
    expect(await campaign.invitations()).toMatchObject([{ state: 'bounced', reason: BOUNCE.reason }])
    expect(await campaign.counters()).toMatchObject({ nb_email_sent: 1, bounced_recipients: 1, used: 1 })
  })

  test('a soft bounce changes the reason alone, also where it comes before the outcome, and never that of a hard one', async () => {
    const campaign = await TestCampaign.open(system)
    await campaign.invite(addresses(1))
    const claim = await beginBatch(campaign)
    const soft = { invitation_id: claim.ids[0], type: 'bounced', bounce_type: 'soft' }
    await reported({ ...soft, reason: '452 4.2.2 Mailbox full' })
    await claim.sent(claim.ids)
    const before = { state: 'sent', reason: '452 4.2.2 Mailbox full' }
    expect(await campaign.invitations()).toMatchObject([before])
    expect(await campaign.counters()).toMatchObject({ nb_email_sent: 1, bounced_recipients: 0 })
    await reported({ invitation_id: claim.ids[0], ...BOUNCE })
    await reported({ ...soft, reason: 'later' })
    expect(await campaign.invitations()).toMatchObject([{ state: 'bounced', reason: BOUNCE.reason }])
    expect(await campaign.counters()).toMatchObject({ bounced_recipients: 1 })
  })

  test(
    'after a hard bounce or a complaint no partner of the event sends to the address; another event does',
    slow,
    async () => {
      const { campaign, ids } = await sentTo(3)
      const [one, two] = await Promise.all(ids.slice(0, 2).map((id) => invitationOf(campaign, id)))
      const other = await TestCampaign.open(system, { testEvent: campaign.testEvent })
      const elsewhere = await TestCampaign.open(system)
      const emails = addresses(3)
      await Promise.all([other.invite(emails), elsewhere.invite(emails)])
      await reported({ invitation_id: one._id, ...BOUNCE }, { invitation_id: two._id, ...COMPLAINT })
      expect(await sendAll(elsewhere)).toHaveLength(3)
      expect(await sendAll(other)).toHaveLength(1)
      const blocked = await other.invitations('&state=blocked')
      expect(Object.fromEntries(blocked.map(({ email, reason }) => [email, reason]))).toEqual({
        [one.email]: 'An e-mail to the address came back',
        [two.email]: 'The recipient has complained of an e-mail',
      })
      expect(await other.counters()).toMatchObject({ used: 1, blacklisted_recipients: 2, bounced_recipients: 0 })
    },
  )

  test('a hard bounce is seen by a batch that was leased before it and begins after it', async () => {
    const { campaign, ids } = await sentTo(6)
    const other = await TestCampaign.open(system, { testEvent: campaign.testEvent })
    await other.invite(addresses(6))
    const { leased, progress } = await leaseBatch(other)
    expect(leased).toHaveLength(6)
    await reported({ invitation_id: ids[0], ...BOUNCE })
    expect(await progress({ begin: leased })).toHaveLength(5)
  })

  test('each item of a batch has its answer: good ones stay, whatever is wrong with others', async () => {
    const { campaign, ids } = await sentTo(1)
    const answer = await report([
      { type: 'bounced' },
      { invitation_id: ids[0], ...BOUNCE },
      { invitation_id: 'f'.repeat(24), ...COMPLAINT },
      { message_id: 'nothing', ...COMPLAINT },
      { invitation_id: ids[0], type: 'lost' },
      { invitation_id: 'f'.repeat(24), type: 'lost' },
    ])
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual([
      { errors: { invitation_id: ["can't be blank"] } },
      expect.objectContaining({ invitation_id: ids[0], state: 'bounced' }),
      { errors: { invitation_id: ['is not an invitation of the account'] } },
      { errors: { message_id: ['is not an e-mail of the account'] } },
      { errors: { type: [expect.any(String)] } },
      { errors: { invitation_id: ['is not an invitation of the account'], type: [expect.any(String)] } },
    ])
    expect(await campaign.counters()).toMatchObject({ bounced_recipients: 1, spammed_recipients: 0 })
  })

  test('a token moves only invitations of its account: others are as unknown as those that there are not', async () => {
    const { campaign, ids } = await sentTo(1)
    const stranger = await system.account(`stranger-${crypto.randomUUID().slice(0, 8)}`)
    const event = { invitation_id: ids[0], ...BOUNCE }
    const [answer, unknown] = await Promise.all([
      report([event], { token: stranger.auth_token }),
      report([{ ...event, invitation_id: 'f'.repeat(24) }]),
    ])
    expect([answer.status, answer.body]).toEqual([422, unknown.body])
    for (const rights of [{ scope: 'read' }, { scope: 'admin', event_id: campaign.testEvent.id }]) {
      const { body } = await system.api('POST', 'tokens.json', { name: 'limited', ...rights })
      expect((await report([event], { token: body.token })).status).toBe(403)
    }
    expect(await campaign.counters()).toMatchObject({ bounced_recipients: 0 })
    expect(await campaign.invitations()).toMatchObject([{ state: 'sent', reason: null }])
  })

  test('the first time an e-mail was opened is kept, whatever comes first; a time in the future is now', async () => {
    const { campaign, ids } = await sentTo(1)
    const opened = (occurred_at: string) => reported({ invitation_id: ids[0], type: 'opened', occurred_at })
    await opened('2099-01-01T00:00:00Z')
    const [{ opened_at }] = (await campaign.invitations()) as [{ opened_at: string }]
    expect(Date.parse(opened_at)).toBeLessThanOrEqual(Date.now())
    for (const day of ['03', '02', '04']) await opened(`2026-01-${day}T00:00:00Z`)
    expect(await campaign.invitations()).toMatchObject([{ opened_at: '2026-01-02T00:00:00.000Z' }])
  })
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  )
}
