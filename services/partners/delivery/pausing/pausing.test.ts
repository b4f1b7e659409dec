// @module-tag slow
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, isDeep, killPoints, rounds } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'
import { leaseBatch, sendAll } from '../../testing/test-sending.ts'

// The test is the mail service, and reports what came back. Takes a minute: each request to a killed process takes until its deadline.

const MIN_EMAILS = 20

describe('campaigns pause themselves', () => {
  let system: System
  let processes: Running[]
  let receiver: Receiver

  beforeAll(async () => {
    ;[system, receiver] = await Promise.all([
      startSystem({ with: ['promo', 'hooks'], ...(isDeep && { gateway: { deadline_ms: 1_000 } }) }),
      startReceiver(),
    ])
    const start = () => startReplica('partners', system, { campaign_pause_min_emails: MIN_EMAILS })
    processes = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    await Promise.all(processes?.map((each) => each.stop()) ?? [])
    await system?.stop()
    await receiver?.close()
  })

  const report = async (type: string, ids: string[]): Promise<void> => {
    const events = ids.map((invitation_id) => ({ invitation_id, type }))
    const answer = await system.api('POST', 'mail_events.json', events)
    expect(answer.status, answer.text).toBe(201)
  }
  /** Sends to further recipients of a campaign, and returns their invitations. */
  const send = async (campaign: TestCampaign, count: number): Promise<string[]> => {
    await campaign.invite(addresses(count, crypto.randomUUID()))
    return sendAll(campaign)
  }
  const pathOf = ({ type, id }: TestCampaign) => `invitation_types/${type}/partner_campaigns/${id}`
  const resume = async (campaign: TestCampaign): Promise<Answer['body']> => {
    const answer = await campaign.testEvent.api('POST', `${pathOf(campaign)}/resume.json`)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const isPaused = async (campaign: TestCampaign): Promise<boolean> => (await campaign.counters()).paused_at !== null

  test('when more than 5 % of its e-mails came back for good, and not before', async () => {
    const campaign = await TestCampaign.open(system)
    const ids = await send(campaign, 40)
    await report('bounced', ids.slice(0, 2))
    expect(await isPaused(campaign)).toBe(false)
    await report('bounced', ids.slice(0, 3))
    const shown = {
      paused_at: expect.stringMatching(/Z$/),
      pause_reason: 'Of 40 e-mails 3 came back for good, more than 5 %',
    }
    expect(await campaign.counters()).toMatchObject(shown)
    const { partner_campaigns } = await campaign.organizersView()
    expect(partner_campaigns).toMatchObject([shown])
    const list = `invitation_types/${campaign.type}/partner_campaigns.json`
    expect(await campaign.testEvent.read(list)).toMatchObject([shown])
  })

  test('when more than 0.3 % were called spam, but never for a single complaint', async () => {
    const campaign = await TestCampaign.open(system)
    const ids = await send(campaign, MIN_EMAILS)
    await report('complained', ids.slice(0, 1))
    expect(await isPaused(campaign)).toBe(false)
    await report('complained', ids.slice(1, 2))
    const pause_reason = `Of ${MIN_EMAILS} e-mails 2 were called spam, more than 0.3 %`
    expect(await campaign.counters()).toMatchObject({ pause_reason })
  })

  test('only after a minimum of e-mails; what came back earlier then counts, at the next hand-over', async () => {
    const campaign = await TestCampaign.open(system)
    const ids = await send(campaign, MIN_EMAILS - 1)
    await report('bounced', ids)
    expect(await isPaused(campaign)).toBe(false)
    expect(await send(campaign, 1)).toHaveLength(1)
    expect(await send(campaign, 1)).toEqual([])
    expect(await isPaused(campaign)).toBe(true)
  })

  test('what waits is not sent while another campaign of the partner goes on; it goes when the organizer resumes the campaign', async () => {
    const campaign = await TestCampaign.open(system)
    const other = await TestCampaign.attach(campaign.testEvent, campaign.partner)
    const ids = await send(campaign, MIN_EMAILS)
    await report('bounced', ids.slice(0, 2))
    await campaign.invite(addresses(50, 'waiting'))
    await other.invite(addresses(3, 'other'))
    expect(await sendAll(campaign)).toHaveLength(3)
    expect(await campaign.invitations('&state=queued')).toHaveLength(50)
    expect(await other.counters()).toMatchObject({ nb_email_sent: 3 })
    expect(await resume(campaign)).toMatchObject({ _id: campaign.id, paused_at: null, pause_reason: null })
    expect(await sendAll(campaign)).toHaveLength(50)
    expect(await campaign.counters()).toMatchObject({ paused_at: null, nb_email_sent: MIN_EMAILS + 50 })
  })

  test('a pause is seen by a batch that was leased before it and begins after it', async () => {
    const campaign = await TestCampaign.open(system)
    const ids = await send(campaign, MIN_EMAILS)
    await campaign.invite(addresses(2, 'claimed'))
    const { leased, progress } = await leaseBatch(campaign)
    expect(leased).toHaveLength(2)
    await report('bounced', ids.slice(0, 2))
    expect(await progress({ begin: leased })).toEqual([])
    await progress({})
    expect(await campaign.invitations('&state=queued')).toHaveLength(2)
  })

  test('after it was resumed it is judged by what was sent and came back since', async () => {
    const campaign = await TestCampaign.open(system)
    const ids = await send(campaign, 2 * MIN_EMAILS)
    await report('bounced', ids.slice(0, 10))
    expect(await isPaused(campaign)).toBe(true)
    await resume(campaign)
    await report('bounced', ids.slice(10, 15))
    expect(await isPaused(campaign)).toBe(false)
    await send(campaign, MIN_EMAILS - 1)
    expect(await isPaused(campaign)).toBe(false)
    await send(campaign, 1)
    await report('delivered', ids.slice(0, 1))
    expect(await send(campaign, 1)).toEqual([])
    expect(await campaign.counters()).toMatchObject({
      pause_reason: `Of ${MIN_EMAILS} e-mails 5 came back for good, more than 5 %`,
    })
  })

  test('whatever is handed over while it is resumed, nothing is left waiting for another hour', async () => {
    for (let round = 0; round < rounds(3, 20); round++) {
      const campaign = await TestCampaign.open(system)
      const ids = await send(campaign, MIN_EMAILS)
      await report('bounced', ids.slice(0, 2))
      await campaign.invite(addresses(60, 'waiting'))
      const sent = await Promise.all([sendAll(campaign), resume(campaign), sendAll(campaign)])
      const rest = await sendAll(campaign)
      expect(sent[0].length + sent[2].length + rest.length).toBe(60)
    }
  })

  test('to resume one that is not paused changes nothing; one of another type or account is not found', async () => {
    const campaign = await TestCampaign.open(system)
    const before = (await campaign.organizersView()).partner_campaigns[0]
    expect(await resume(campaign)).toEqual(before)
    const other = await TestCampaign.attach(campaign.testEvent, campaign.partner)
    const stranger = await system.account(`stranger-${crypto.randomUUID().slice(0, 8)}`)
    const wrong = `invitation_types/${other.type}/partner_campaigns/${campaign.id}/resume.json`
    expect((await campaign.testEvent.api('POST', wrong)).status).toBe(404)
    const path = `${pathOf(campaign)}/resume.json`
    const token = stranger.auth_token
    expect((await campaign.testEvent.api('POST', path, undefined, { token })).status).toBe(404)
  })

  test('webhooks hear of each pause once, however many reports lead to it at once', async () => {
    const campaign = await TestCampaign.open(system)
    const webhook = { url: receiver.url, event_types: ['partner_campaign.paused'], event_id: campaign.testEvent.id }
    expect((await system.api('POST', 'webhooks.json', webhook)).status).toBe(201)
    const ids = await send(campaign, MIN_EMAILS)
    await Promise.all(ids.map((id) => report('bounced', [id])))
    const heard = () => receiver.received.map(({ json }) => json).filter(({ data }) => data._id === campaign.id)
    await expect.poll(() => heard().length).toBe(1)
    const shown = (await campaign.organizersView()).partner_campaigns[0]
    expect(heard()).toMatchObject([
      { type: 'partner_campaign.paused', event_id: campaign.testEvent.id, data: { paused_at: shown.paused_at } },
    ])
    expect(Object.keys(heard()[0].data).sort()).toEqual(Object.keys(shown).sort())
    await resume(campaign)
    const further = await send(campaign, MIN_EMAILS)
    await report('bounced', further.slice(0, 5))
    await expect.poll(() => heard().length).toBe(2)
  })

  test(
    'a process killed at any answer of its store while it pauses a campaign: webhooks hear of each pause, and nothing more is sent',
    deep,
    async () => {
      await Promise.all(processes.map((each) => each.stop()))
      processes = []
      const killable = await startKillable('partners', system, { campaign_pause_min_emails: MIN_EMAILS })
      onTestFinished(() => killable.stop())
      const campaigns: TestCampaign[] = []
      let survived = 0
      for (const nth of killPoints()) {
        const campaign = await TestCampaign.open(system)
        const webhook = { url: receiver.url, event_types: ['partner_campaign.paused'], event_id: campaign.testEvent.id }
        expect((await system.api('POST', 'webhooks.json', webhook)).status).toBe(201)
        const ids = await send(campaign, MIN_EMAILS)
        await campaign.invite(addresses(1, 'waiting'))
        campaigns.push(campaign)
        const cancel = await killable.killAtAnswer(nth)
        const events = ids.slice(0, 2).map((invitation_id) => ({ invitation_id, type: 'bounced' }))
        await system.api('POST', 'mail_events.json', events)
        if (!cancel()) survived++
        await killable.serving()
        const again = async () => (await system.api('POST', 'mail_events.json', events)).status
        await expect.poll(again).toBe(201)
        expect(await sendAll(campaign)).toEqual([])
        expect(await isPaused(campaign)).toBe(true)
        if (survived === 3) break
      }
      expect(campaigns.length).toBeGreaterThan(10)
      const paused = campaigns.map(({ id }) => id).sort()
      const heard = () =>
        new Set(receiver.received.map(({ json }) => json.data._id).filter((id) => paused.includes(id)))
      await expect.poll(() => [...heard()].sort()).toEqual(paused)
    },
  )
})
