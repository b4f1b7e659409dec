// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { managerOf } from '@gatehouse/proto/events/streams.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJobs } from '../../resources.ts'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'

// The test is the mail service: it reports late, twice, and what nobody asked it for.

/** Hand-overs begin over this time, and their claims end at some moment of it. */
const BEGINNING_MS = 4_000

describe('hand-overs', () => {
  let system: System
  let processes: Running[]
  let client: ReturnType<typeof clientOf<typeof sendJobs>>

  beforeAll(async () => {
    system = await startSystem({ with: ['promo'] })
    const start = () => startReplica('partners', system, { mail_retry_delays: '3600' })
    processes = await Promise.all([start(), start()])
    client = clientOf(system.bus, sendJobs)
  })
  afterAll(async () => {
    await Promise.all(processes?.map((each) => each.stop()) ?? [])
    await system?.stop()
  })

  const jobOf = (campaign: TestCampaign) => ({ event_id: campaign.testEvent.id, partner_id: campaign.partner })
  const begunOf = async (campaign: TestCampaign, count: number) => {
    await campaign.invite(addresses(count))
    const job = jobOf(campaign)
    const { claim = '', mails } = await client.claim({ body: job })
    const begin = mails.map(({ _id }) => _id)
    const { ids } = await client.progress({ body: { ...job, claim, outcomes: [], begin } })
    return { job, claim, ids }
  }
  const stateOf = async (campaign: TestCampaign): Promise<string[]> =>
    (await campaign.invitations()).map(({ state }) => state)

  test('a batch is of 20, with the e-mails in plain text; what is claimed is not claimed again, nor what another claims at once', async () => {
    const campaign = await TestCampaign.open(system)
    await campaign.invite(addresses(70))
    const claims = await Promise.all(Array.from({ length: 5 }, () => client.claim({ body: jobOf(campaign) })))
    const ids = claims.flatMap(({ mails }) => mails.map(({ _id }) => _id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(Math.max(...claims.map(({ mails }) => mails.length))).toBe(20)
    expect(claims.find(({ mails }) => mails.length > 0)?.mails[0]).toMatchObject({
      to: expect.stringMatching(/^guest-\d+@example\.org$/),
      sender_name: expect.stringMatching(/^Acme /),
      link: expect.stringMatching(/\/rsvp\/[0-9a-f]{24}\/[\w-]{43}$/),
    })
  })

  test('an outcome that is reported twenty times at once is counted once', async () => {
    const campaign = await TestCampaign.open(system)
    const { job, claim, ids } = await begunOf(campaign, 4)
    const [one = '', two = '', three = '', four = ''] = ids
    const outcomes = [
      { _id: one, outcome: 'sent', reason: null },
      { _id: two, outcome: 'sent', reason: null },
      { _id: three, outcome: 'rejected', reason: '550 no' },
      { _id: four, outcome: 'later', reason: '451 later' },
    ] as const
    const body = { ...job, claim, outcomes: [...outcomes], begin: [] }
    await Promise.all(Array.from({ length: 20 }, () => client.progress({ body })))
    const counters = { nb_email_sent: 2, rejected_recipients: 1, unknown_recipients: 0, used: 3, nb_recipients: 4 }
    expect(await campaign.counters()).toMatchObject(counters)
    await client.progress({ body })
    expect(await campaign.counters()).toMatchObject(counters)
    expect((await stateOf(campaign)).sort()).toEqual(['queued', 'rejected', 'sent', 'sent'])
  })

  test('a worker that is late changes nothing: what it had begun is unknown, the rest waits and belongs to whoever claims it', async () => {
    const campaign = await TestCampaign.open(system)
    const job = jobOf(campaign)
    await campaign.invite(addresses(2))
    const { claim = '', mails } = await client.claim({ body: job })
    const [one, two] = mails.map(({ _id }) => _id) as [string, string]
    const begin = (id: string) => client.progress({ body: { ...job, claim, outcomes: [], begin: [id] } })
    expect(await begin(one)).toEqual({ ids: [one] })
    await campaign.expireLeases()
    await expect.poll(() => stateOf(campaign)).toContain('unknown')
    expect(await begin(two)).toEqual({ ids: [] })
    const sent = { _id: one, outcome: 'sent', reason: null } as const
    await client.progress({ body: { ...job, claim, outcomes: [sent], begin: [] } })
    expect((await stateOf(campaign)).sort()).toEqual(['queued', 'unknown'])
    await expect.poll(() => campaign.counters()).toMatchObject({ nb_email_sent: 0, unknown_recipients: 1, used: 2 })
    const next = await client.claim({ body: job })
    expect(next.mails.map(({ _id }) => _id)).toEqual([two])
  })

  test('what begins while its claim ends is unknown and not sent again; what cannot begin any more waits', async () => {
    const campaign = await TestCampaign.open(system)
    const job = jobOf(campaign)
    await campaign.invite(addresses(60))
    const claims = await Promise.all(Array.from({ length: 3 }, () => client.claim({ body: job })))
    const begun: string[] = []
    await campaign.expireLeases()
    await Promise.all(
      claims.flatMap(({ claim = '', mails }) =>
        mails.map(async ({ _id }, index) => {
          await sleep((BEGINNING_MS * index) / mails.length)
          const { ids } = await client.progress({ body: { ...job, claim, outcomes: [], begin: [_id] } })
          begun.push(...ids)
        }),
      ),
    )
    await expect.poll(async () => (await campaign.counters()).unknown_recipients).toBe(begun.length)
    const found = await campaign.invitations()
    const unknown = found.flatMap(({ _id, state }) => (state === 'unknown' ? [_id] : []))
    expect(unknown.sort()).toEqual(begun.sort())
    expect(found.filter(({ state }) => state === 'queued')).toHaveLength(60 - begun.length)
  })

  test('a partner who may not send gets no further job, and one who may does', async () => {
    const campaign = await TestCampaign.open(system, { partner: { disable_emails: true } })
    const job = jobOf(campaign)
    await campaign.invite(addresses(2))
    const { streams } = await managerOf(system.bus)
    const [stream, subject] = [`${system.namespace}_mail`, `${system.namespace}.work.mail.${job.partner_id}`]
    const queued = async () => (await streams.getMessage(stream, { last_by_subj: subject })) !== null
    // The job that inviting has queued.
    await expect.poll(queued).toBe(true)
    await streams.purge(stream, { filter: subject })
    await client.renew({ body: job })
    expect(await queued()).toBe(false)
    await campaign.testEvent.change(`partners/${campaign.partner}.json`, { disable_emails: false })
    await client.renew({ body: job })
    expect(await queued()).toBe(true)
  })

  test('what a rate holds waits for its time, and that is no attempt; what had begun, or is of another claim, is not held', async () => {
    const [campaign, other] = [await TestCampaign.open(system), await TestCampaign.open(system)]
    await other.invite(addresses(1))
    const { claim: theirs = '', mails: others } = await client.claim({ body: jobOf(other) })
    await campaign.invite(addresses(3))
    const job = jobOf(campaign)
    const { claim = '', mails } = await client.claim({ body: job })
    const [one, two, three] = mails.map(({ _id }) => _id) as [string, string, string]
    await client.progress({ body: { ...job, claim, outcomes: [], begin: [one] } })
    const hold = [one, two, others[0]?._id ?? ''].map((_id) => ({ _id, ms: 3_600_000 }))
    const sent = { _id: one, outcome: 'sent', reason: null } as const
    await client.progress({ body: { ...job, claim, outcomes: [sent], begin: [], hold } })
    expect((await stateOf(campaign)).sort()).toEqual(['queued', 'queued', 'sent'])
    // Only the one that was neither begun nor held is due.
    expect((await client.claim({ body: job })).mails.map(({ _id }) => _id)).toEqual([three])
    const begin = others.map(({ _id }) => _id)
    const theirTurn = { ...jobOf(other), claim: theirs }
    expect(await client.progress({ body: { ...theirTurn, outcomes: [], begin } })).toEqual({ ids: begin })
    await client.progress({ body: { ...theirTurn, outcomes: [], begin: [] } })
  })

  test('what has begun begins once: a request that comes again, late, neither gives it nor takes it back', async () => {
    const campaign = await TestCampaign.open(system)
    const { job, claim, ids } = await begunOf(campaign, 1)
    const [address] = addresses(1)
    await campaign.testEvent.make('blocked_recipients.json', { address })
    const again = { ...job, claim, outcomes: [], begin: ids }
    expect(await client.progress({ body: again })).toEqual({ ids: [] })
    const outcomes = ids.map((_id) => ({ _id, outcome: 'sent' as const, reason: null }))
    await client.progress({ body: { ...job, claim, outcomes, begin: [] } })
    expect(await campaign.counters()).toMatchObject({ nb_email_sent: 1, used: 1 })
    expect(await stateOf(campaign)).toEqual(['sent'])
  })

  test('what is not of the claim is not touched', async () => {
    const [one, other] = [await TestCampaign.open(system), await TestCampaign.open(system)]
    const mine = await begunOf(one, 1)
    const theirs = await begunOf(other, 1)
    const sent = { _id: theirs.ids[0] as string, outcome: 'sent', reason: null } as const
    await client.progress({ body: { ...mine.job, claim: mine.claim, outcomes: [sent], begin: theirs.ids } })
    const stranger = await TestCampaign.open(system)
    await client.progress({ body: { ...jobOf(stranger), claim: theirs.claim, outcomes: [sent], begin: [] } })
    expect(await other.counters()).toMatchObject({ nb_email_sent: 0, unknown_recipients: 0 })
    await other.expireLeases()
    await expect.poll(() => stateOf(other)).toEqual(['unknown'])
  })
})
