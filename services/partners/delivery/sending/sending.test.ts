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
import { beginBatch, jobOf, leaseBatch, sentOf } from '../../testing/test-sending.ts'

// The test is the mail service: it reports late, twice, and what nobody asked it for.

/** E-mails begin over this time, and their leases end at some moment of it. */
const BEGINNING_MS = 4_000

describe('send jobs', () => {
  let system: System
  let processes: Running[]

  beforeAll(async () => {
    system = await startSystem({ with: ['promo'] })
    const start = () => startReplica('partners', system, { mail_retry_delays: '3600' })
    processes = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    await Promise.all(processes?.map((each) => each.stop()) ?? [])
    await system?.stop()
  })

  /** A campaign with waiting invitations. */
  const invited = async (count: number): Promise<TestCampaign> => {
    const campaign = await TestCampaign.open(system)
    await campaign.invite(addresses(count))
    return campaign
  }
  const stateOf = async (campaign: TestCampaign): Promise<string[]> =>
    (await campaign.invitations()).map(({ state }) => state).sort()

  test('a batch is of 20, with the e-mails in plain text; what is leased is not leased again, nor what another leases at once', async () => {
    const campaign = await invited(70)
    const batches = await Promise.all(Array.from({ length: 5 }, () => leaseBatch(campaign)))
    const ids = batches.flatMap(({ leased }) => leased)
    expect(new Set(ids).size).toBe(ids.length)
    expect(Math.max(...batches.map(({ leased }) => leased.length))).toBe(20)
    expect(batches.flatMap(({ mails }) => mails)[0]).toMatchObject({
      to: expect.stringMatching(/^guest-\d+@example\.org$/),
      sender_name: expect.stringMatching(/^Acme /),
      link: expect.stringMatching(/\/rsvp\/[0-9a-f]{24}\/[\w-]{43}$/),
    })
  })

  test('an outcome that is reported twenty times at once is counted once', async () => {
    const campaign = await invited(4)
    const { ids, progress } = await beginBatch(campaign)
    const [one = '', two = '', three = '', four = ''] = ids
    const outcomes = [
      sentOf(one),
      sentOf(two),
      { _id: three, outcome: 'rejected', reason: '550 no' } as const,
      { _id: four, outcome: 'later', reason: '451 later' } as const,
    ]
    await Promise.all(Array.from({ length: 20 }, () => progress({ outcomes })))
    const counters = { nb_email_sent: 2, rejected_recipients: 1, unknown_recipients: 0, used: 3, nb_recipients: 4 }
    expect(await campaign.counters()).toMatchObject(counters)
    await progress({ outcomes })
    expect(await campaign.counters()).toMatchObject(counters)
    expect(await stateOf(campaign)).toEqual(['queued', 'rejected', 'sent', 'sent'])
  })

  test('a worker that is late changes nothing: what it had begun is unknown, the rest waits and belongs to whoever leases it', async () => {
    const campaign = await invited(2)
    const { leased, progress, sent } = await leaseBatch(campaign)
    const [one, two] = leased as [string, string]
    expect(await progress({ begin: [one] })).toEqual([one])
    await campaign.expireLeases()
    await expect.poll(() => stateOf(campaign)).toContain('unknown')
    expect(await progress({ begin: [two] })).toEqual([])
    await sent([one])
    expect(await stateOf(campaign)).toEqual(['queued', 'unknown'])
    await expect.poll(() => campaign.counters()).toMatchObject({ nb_email_sent: 0, unknown_recipients: 1, used: 2 })
    expect((await leaseBatch(campaign)).leased).toEqual([two])
  })

  test('what begins while its lease ends is unknown and not sent again; what cannot begin any more waits', async () => {
    const campaign = await invited(60)
    const batches = await Promise.all(Array.from({ length: 3 }, () => leaseBatch(campaign)))
    const begun: string[] = []
    await campaign.expireLeases()
    await Promise.all(
      batches.flatMap(({ leased, progress }) =>
        leased.map(async (_id, index) => {
          await sleep((BEGINNING_MS * index) / leased.length)
          begun.push(...(await progress({ begin: [_id] })))
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
    const client = clientOf(system.bus, sendJobs)
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

  test('what a rate holds waits for its time, and that is no attempt; what had begun, or is of another lease, is not held', async () => {
    const theirs = await leaseBatch(await invited(1))
    const campaign = await invited(3)
    const mine = await leaseBatch(campaign)
    const [one, two, three] = mine.leased as [string, string, string]
    await mine.progress({ begin: [one] })
    const hold = [one, two, ...theirs.leased].map((_id) => ({ _id, ms: 3_600_000 }))
    await mine.progress({ outcomes: [sentOf(one)], hold })
    expect(await stateOf(campaign)).toEqual(['queued', 'queued', 'sent'])
    // Only the one that was neither begun nor held is due.
    expect((await leaseBatch(campaign)).leased).toEqual([three])
    expect(await theirs.progress({ begin: theirs.leased })).toEqual(theirs.leased)
    await theirs.progress({})
  })

  test('what has begun begins once: a request that comes again, late, neither gives it nor takes it back', async () => {
    const campaign = await invited(1)
    const { ids, progress, sent } = await beginBatch(campaign)
    const [address] = addresses(1)
    await campaign.testEvent.make('blocked_recipients.json', { address })
    expect(await progress({ begin: ids })).toEqual([])
    await sent(ids)
    expect(await campaign.counters()).toMatchObject({ nb_email_sent: 1, used: 1 })
    expect(await stateOf(campaign)).toEqual(['sent'])
  })

  test('what is not of the lease is not touched', async () => {
    const [one, other, stranger] = [await invited(1), await invited(1), await TestCampaign.open(system)]
    const [mine, theirs] = [await beginBatch(one), await beginBatch(other)]
    await mine.sent(theirs.ids, theirs.ids)
    await theirs.progress({ ...jobOf(stranger), outcomes: theirs.ids.map(sentOf) })
    expect(await other.counters()).toMatchObject({ nb_email_sent: 0, unknown_recipients: 0 })
    await other.expireLeases()
    await expect.poll(() => stateOf(other)).toEqual(['unknown'])
  })
})
