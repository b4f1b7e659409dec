// @module-tag slow
import { addresses, TestCampaign } from '@gatehouse/partners/test-campaign'
import { managerOf } from '@gatehouse/proto/events/streams.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type MailServer, startMailServer, type Treatment } from '@gatehouse/test/harness/mail-server.ts'
import { startReplica, startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, rounds } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

// Takes half a minute: what was postponed is due within two seconds.

/** E-mails of one partner: six batches or more. */
const MANY = rounds(120, 500)

describe('invitations are handed to the mail server', () => {
  let server: MailServer
  let system: System
  let partners: Running
  let worker: Running
  let mailSettings: object

  const startWorker = (): Promise<Running> => startReplica('mail', system, mailSettings)

  beforeAll(async () => {
    ;[server, system] = await Promise.all([startMailServer(), startSystem({ with: ['promo'] })])
    mailSettings = { smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    const settings = { mail_retry_delays: '0.1,0.1,0.1' }
    ;[partners, worker] = await Promise.all([startReplica('partners', system, settings), startWorker()])
  })
  afterAll(async () => {
    await worker?.stop()
    await partners?.stop()
    await system?.stop()
    await server?.stop()
  })
  afterEach(() => server.plan(() => 'take'))

  const sentTo = (email: string) => server.mails.filter(({ to }) => to[0] === email)
  /** The number of invitations in each state. */
  const states = async (campaign: TestCampaign): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {}
    for (const { state } of await campaign.invitations()) counts[state] = (counts[state] ?? 0) + 1
    return counts
  }
  /** Treats each recipient by the word before the first hyphen of its address, as often as `times` says, and then takes its e-mails. */
  const byName = (times = Number.POSITIVE_INFINITY) => {
    const seen = new Map<string, number>()
    server.plan((to) => {
      const treatment = to.split('-', 1)[0]?.replaceAll('_', '-') as Treatment
      seen.set(to, (seen.get(to) ?? 0) + 1)
      return (seen.get(to) ?? 0) > times ? 'take' : treatment
    })
  }

  test('what the server took, refused and lost is what the counters say, of campaign and partner, once each', async () => {
    const campaign = await TestCampaign.open(system, { quota: 100, partner: { recipients_quota: 60 } })
    await campaign.testEvent.make('blocked_recipients.json', { address: 'BLOCKED-1@example.org' })
    await campaign.testEvent.make('blocked_recipients.json', { address: 'bücher.example' })
    byName()
    const recipients = [
      ...addresses(23, 'take'),
      ...addresses(4, 'refuse_recipient'),
      ...addresses(3, 'refuse_message'),
      ...addresses(2, 'drop_after'),
      ...addresses(2, 'blocked'),
      'take-1@xn--bcher-kva.example',
    ]
    expect((await campaign.invite(recipients)).status).toBe(201)
    const expected = { sent: 24, rejected: 7, unknown: 2, blocked: 2 }
    await expect.poll(() => states(campaign)).toEqual(expected)
    const counters = {
      nb_recipients: 35,
      nb_recipients_email_sent: 24,
      nb_email_sent: 24,
      rejected_recipients: 7,
      blacklisted_recipients: 2,
    }
    await expect
      .poll(() => campaign.counters())
      .toMatchObject({
        ...counters,
        unknown_recipients: 2,
        // What failed before it was handed over is free again.
        used: 26,
        left: 34,
      })
    const view = await campaign.organizersView()
    expect(view).toMatchObject({ ...counters, rejected_percentage: 7 / 24, blacklisted_percentage: 2 / 24 })
    expect(view.partner_campaigns).toMatchObject([{ nb_email_sent: 24 }])
    for (const email of recipients) {
      const isTaken = /^(take|drop_after|blocked-0)/.test(email) && !email.endsWith('.example')
      expect(sentTo(email), email).toHaveLength(isTaken ? 1 : 0)
    }
    const [refused] = await campaign.invitations('&state=rejected')
    expect(refused).toMatchObject({ reason: expect.stringMatching(/^550 /), sent_at: null })
    const [sent] = await campaign.invitations('&state=sent')
    expect(sent).toMatchObject({ reason: null, sent_at: expect.stringMatching(/Z$/) })
  })

  test('what was greylisted or broken off is tried again, and counted once', async () => {
    const campaign = await TestCampaign.open(system)
    byName(1)
    const recipients = ['postpone_recipient', 'postpone_message', 'drop_before'].flatMap((name) => addresses(2, name))
    await campaign.invite(recipients)
    await expect.poll(() => states(campaign)).toEqual({ sent: 6 })
    await expect.poll(() => campaign.counters()).toMatchObject({ nb_email_sent: 6, used: 6, rejected_recipients: 0 })
    for (const email of recipients) expect(sentTo(email), email).toHaveLength(1)
  })

  test('what is postponed again and again is given up, and gives its place in the quota back', async () => {
    const campaign = await TestCampaign.open(system)
    byName()
    await campaign.invite(['postpone_recipient-1@example.org'])
    await expect.poll(() => states(campaign)).toEqual({ rejected: 1 })
    await expect.poll(() => campaign.counters()).toMatchObject({ used: 0, rejected_recipients: 1, nb_email_sent: 0 })
    expect(await campaign.invitations()).toMatchObject([{ reason: expect.stringMatching(/^451 /) }])
  })

  test('while the partner may send no e-mails they wait, and go as soon as it may', async () => {
    const campaign = await TestCampaign.open(system, { partner: { disable_emails: true } })
    const other = await TestCampaign.open(system)
    await campaign.invite(addresses(3, 'disabled'))
    await other.invite(addresses(1, 'enabled'))
    await expect.poll(() => states(other)).toEqual({ sent: 1 })
    expect(await states(campaign)).toEqual({ queued: 3 })
    await campaign.testEvent.change(`partners/${campaign.partner}.json`, { disable_emails: false })
    await expect.poll(() => states(campaign)).toEqual({ sent: 3 })
  })

  test('after the answer to disable_emails, or to a block, none is begun any more', async () => {
    const campaign = await TestCampaign.open(system)
    const gate = Promise.withResolvers<void>()
    let begun = 0
    server.plan(() => () => {
      begun++
      return gate.promise
    })
    await campaign.invite(addresses(40, 'halted'))
    await expect.poll(() => begun).toBeGreaterThan(0)
    await campaign.testEvent.change(`partners/${campaign.partner}.json`, { disable_emails: true })
    gate.resolve()
    // One batch was under way.
    await expect.poll(() => states(campaign)).toEqual({ sent: 20, queued: 20 })
    await campaign.testEvent.make('blocked_recipients.json', { address: 'example.org' })
    await campaign.testEvent.change(`partners/${campaign.partner}.json`, { disable_emails: false })
    await expect.poll(() => states(campaign)).toEqual({ sent: 20, blocked: 20 })
    await expect
      .poll(() => campaign.counters())
      .toMatchObject({ nb_email_sent: 20, blacklisted_recipients: 20, used: 20 })
  })

  test('what a deleted campaign has not sent is not sent, and its partner’s quota is free for it', async () => {
    const one = await TestCampaign.open(system, { partner: { recipients_quota: 10, disable_emails: true } })
    const two = await TestCampaign.attach(one.testEvent, one.partner)
    await one.invite(addresses(8, 'deleted'))
    const path = `invitation_types/${one.type}/partner_campaigns/${one.id}.json`
    expect((await one.testEvent.api('DELETE', path)).status).toBe(200)
    await one.testEvent.change(`partners/${one.partner}.json`, { disable_emails: false })
    await expect.poll(() => two.counters()).toMatchObject({ used: 0, left: 10 })
    for (const email of addresses(8, 'deleted')) expect(sentTo(email)).toEqual([])
  })

  test(`a partner with ${MANY} waiting delays another’s five by a few batches`, async () => {
    const [many, few] = [await TestCampaign.open(system), await TestCampaign.open(system)]
    const gate = Promise.withResolvers<void>()
    let waiting = 0
    server.plan(() => () => {
      waiting++
      return gate.promise
    })
    await many.invite(addresses(MANY, 'many'))
    await expect.poll(() => waiting).toBeGreaterThan(0)
    await few.invite(addresses(5, 'few'))
    const before = server.mails.length
    gate.resolve()
    server.plan(() => 'take')
    await expect.poll(() => states(few)).toEqual({ sent: 5 })
    const order = server.mails.slice(before).map(({ to: [to = ''] }) => to)
    const last = order.findLastIndex((to) => to.startsWith('few'))
    // The batch of 20 that was under way, and two in between.
    expect(order.slice(0, last).filter((to) => to.startsWith('many')).length).toBeLessThanOrEqual(60)
    await expect.poll(() => states(many)).toEqual({ sent: MANY })
    expect(new Set(order).size).toBe(order.length)
  })

  test('a partner with many has three batches under way at once, and each e-mail leaves once', async () => {
    const campaign = await TestCampaign.open(system)
    const manager = await managerOf(system.bus)
    const jobs = async () => (await manager.streams.info(`${system.namespace}_mail`)).state.messages
    const gate = Promise.withResolvers<void>()
    let tried = 0
    // One that has just sent few e-mails for others gives a partner with many one batch at a time.
    await worker.stop()
    worker = await startWorker()
    // The first batch is taken: so it is known that there are more.
    server.plan(() => async () => {
      if (++tried > 20) await gate.promise
    })
    await campaign.invite(addresses(MANY, 'lanes'))
    await expect.poll(jobs).toBe(3)
    gate.resolve()
    await expect.poll(() => states(campaign)).toEqual({ sent: MANY })
    for (const email of addresses(MANY, 'lanes')) expect(sentTo(email), email).toHaveLength(1)
    await expect.poll(() => campaign.counters()).toMatchObject({ nb_email_sent: MANY, used: MANY })
  })

  test('the queue may be lost: it is created again, and what waits is sent', async () => {
    const campaign = await TestCampaign.open(system)
    const manager = await managerOf(system.bus)
    await manager.streams.delete(`${system.namespace}_mail`)
    await campaign.invite(addresses(25, 'lost'))
    await expect.poll(() => states(campaign)).toEqual({ sent: 25 })
    for (const email of addresses(25, 'lost')) expect(sentTo(email), email).toHaveLength(1)
  })

  test('messages of the queue that are not send jobs are dropped', async () => {
    const campaign = await TestCampaign.open(system)
    const manager = await managerOf(system.bus)
    const left = async () => (await manager.streams.info(`${system.namespace}_mail`)).state.messages
    for (const [nth, text] of ['', 'null', '{', '{}', '{"event_id":{},"partner_id":"x"}'].entries())
      system.bus.connection.publish(`${system.namespace}.work.mail.no-job-${nth}`, text)
    await campaign.invite(addresses(3, 'beside'))
    await expect.poll(() => states(campaign)).toEqual({ sent: 3 })
    await expect.poll(left).toBe(0)
  })

  test(
    'a worker that dies when the server has taken an e-mail leaves it unknown: it is not sent again, the others are',
    deep,
    async () => {
      const campaign = await TestCampaign.open(system, { quota: 30 })
      await worker.stop()
      const recipients = addresses(25, 'killed')
      await campaign.invite(recipients)
      const doomed = Promise.withResolvers<number>()
      let taken = 0
      server.plan(() => async () => {
        if (++taken === 3) process.kill(await doomed.promise, 'SIGKILL')
      })
      const victim = await startReplicaProcess('mail', system, mailSettings)
      doomed.resolve(victim.pid)
      await expect.poll(() => taken).toBeGreaterThanOrEqual(3)
      await victim.kill()
      await campaign.expireLeases()
      server.plan(() => 'take')
      worker = await startWorker()
      const counted = async (): Promise<Answer['body']> => {
        const { sent = 0, unknown = 0, ...others } = await states(campaign)
        return { total: sent + unknown, isKnown: unknown > 0 && unknown <= 20, others }
      }
      await expect.poll(counted).toEqual({ total: 25, isKnown: true, others: {} })
      const found = await campaign.invitations()
      for (const { email, state } of found) {
        if (state === 'sent') expect(sentTo(email), email).toHaveLength(1)
        else expect(sentTo(email).length, email).toBeLessThanOrEqual(1)
      }
      const sent = found.filter(({ state }) => state === 'sent').length
      await expect
        .poll(() => campaign.counters())
        .toMatchObject({
          nb_email_sent: sent,
          nb_recipients_email_sent: sent,
          unknown_recipients: 25 - sent,
          used: 25,
          left: 5,
        })
      expect(server.mails.filter(({ to }) => to[0]?.startsWith('killed')).length).toBeGreaterThan(sent)
    },
  )

  test('while the mail server is away invitations wait; once it is back they are sent', async () => {
    const campaign = await TestCampaign.open(system)
    const { port } = new URL(server.url)
    await server.stop()
    await campaign.invite(addresses(3, 'away'))
    await expect.poll(async () => (await campaign.invitations())[0]?.reason).toMatch(/^No answer of the mail server/)
    server = await startMailServer(Number(port))
    // Some may have been given up: tests wait for a tenth of a second where others wait for a minute.
    await expect.poll(async () => (await states(campaign)).queued).toBeUndefined()
    const { sent = 0 } = await states(campaign)
    expect(server.mails).toHaveLength(sent)
  })
})
