import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, killPoints } from '@gatehouse/test/rounds.ts'
import { type Document, MongoClient } from 'mongodb'
import { expect, inject, onTestFinished, test } from 'vitest'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'
import { sendAll } from '../../testing/test-sending.ts'

// Takes half a minute: each request to a killed process takes until its deadline, and what it has left is seen to after eight seconds, so that a
// slow one is not taken for dead.

test(
  'a process killed at any answer of its store while it records events counts each of them once, also where nobody reports it again',
  deep,
  async () => {
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const system = await startSystem({ with: ['promo'], gateway: { deadline_ms: 3_000 } })
    const killable = await startKillable('partners', system, {
      campaign_pause_min_emails: 1,
      campaign_pause_bounces: 50,
    })
    onTestFinished(async () => {
      await killable.stop()
      await Promise.all([system.stop(), mongo.close()])
    })
    const partners = mongo.db(`${system.namespace}_partners`).collection<Document & { _id: string }>('partners')
    const campaigns: { campaign: TestCampaign; events: object[]; isRepeated: boolean }[] = []
    let survived = 0
    for (const nth of killPoints()) {
      const campaign = await TestCampaign.open(system, { quota: 4 })
      await campaign.invite(addresses(4))
      const [one, two, three] = await sendAll(campaign)
      const events = [
        { invitation_id: one, type: 'bounced' },
        { invitation_id: one, type: 'complained' },
        { invitation_id: two, type: 'unsubscribed' },
        { invitation_id: two, type: 'complained' },
        { invitation_id: three, type: 'opened' },
      ]
      const isRepeated = campaigns.length % 2 === 0
      campaigns.push({ campaign, events, isRepeated })
      const cancel = await killable.killAtAnswer(nth)
      const answer = await system.api('POST', 'mail_events.json', events)
      expect([201, 503], answer.text).toContain(answer.status)
      if (!cancel()) survived++
      await killable.serving()
      const again = () => system.api('POST', 'mail_events.json', events)
      if (isRepeated) await expect.poll(async () => (await again()).status).toBe(201)
      if (survived === 3) break
    }
    expect(campaigns.length).toBeGreaterThan(12)

    const notes = async (_id: string) => ((await partners.findOne({ _id }))?.notes ?? []).length
    for (const { campaign } of campaigns) await expect.poll(() => notes(campaign.partner)).toBe(0)
    const wholes = { bounced_recipients: 1, spammed_recipients: 2, unsubscribed_recipients: 1, nb_email_sent: 4 }
    for (const { campaign, events, isRepeated } of campaigns) {
      const states = async () => (await campaign.invitations()).map(({ state }) => state).sort()
      if (!isRepeated) {
        // What was noted was counted, whether all of it or not.
        const counted = await campaign.counters()
        const shown = (await states()).filter((state) => state === 'complained').length
        expect(counted.spammed_recipients).toBe(shown)
        expect(counted.bounced_recipients).toBe(shown > 0 ? 1 : 0)
        expect((await system.api('POST', 'mail_events.json', events)).status).toBe(201)
      }
      expect(await campaign.counters()).toMatchObject({ ...wholes, paused_at: expect.any(String) })
      expect(await states()).toEqual(['complained', 'complained', 'sent', 'sent'])
    }
  },
)
