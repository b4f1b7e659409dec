import { addresses, TestCampaign } from '@gatehouse/partners/test-campaign'
import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, seed } from '@gatehouse/test/rounds.ts'
import { type Document, MongoClient } from 'mongodb'
import { expect, inject, onTestFinished, test } from 'vitest'

// Takes a quarter of a minute: a claim lasts for three seconds, and each kill ends one.

const ROUNDS = 60

test('a partners process killed at any answer of its store sends and counts each e-mail once', deep, async () => {
  const mongo = await MongoClient.connect(inject('mongodbUrl'))
  const [server, system] = await Promise.all([startMailServer(), startSystem({ with: ['promo'] })])
  const killable = await startKillable('partners', system, { mail_claim_ms: 3_000, mail_retry_delays: '0.1' })
  onTestFinished(() => killable.stop())
  const mail = { smtp_url: server.url, mail_from: 'noreply@gatehouse.example', deadline_ms: 1_000 }
  const workers = await Promise.all([
    startReplicaProcess('mail', system, mail),
    startReplicaProcess('mail', system, mail),
  ])
  const db = mongo.db(`${system.namespace}_partners`)

  const campaigns: TestCampaign[] = []
  let kills = 0
  for (let round = 0; round < ROUNDS; round++) {
    const campaign = await TestCampaign.open(system, { quota: 12 })
    campaigns.push(campaign)
    const answer = await campaign.invite(addresses(12, `round-${round}`))
    expect(answer.status, answer.text).toBe(201)
    const cancel = await killable.killAtAnswer(1 + ((seed + round * 7) % 20))
    const isDone = async () => {
      const { sent, left } = await statesOf(campaign)
      return sent > 0 || left < 12
    }
    await expect.poll(isDone).toBe(true)
    if (cancel()) kills++
    await killable.serving()
  }
  expect(kills).toBeGreaterThan(ROUNDS / 3)

  const notes = () => db.collection<Document>('partners').countDocuments({ 'notes.0': { $exists: true } })
  for (const campaign of campaigns) {
    await expect.poll(async () => (await statesOf(campaign)).left).toBe(0)
  }
  await expect.poll(notes).toBe(0)
  let sentInAll = 0
  for (const campaign of campaigns) {
    const { sent, unknown } = await statesOf(campaign)
    sentInAll += sent
    expect(sent + unknown).toBe(12)
    const counters = { nb_recipients: 12, nb_email_sent: sent, nb_recipients_email_sent: sent }
    expect(await campaign.counters()).toMatchObject({ ...counters, unknown_recipients: unknown, used: 12, left: 0 })
    expect(await campaign.organizersView()).toMatchObject(counters)
  }
  const receivers = server.mails.map(({ to: [to = ''] }) => to)
  expect(new Set(receivers).size).toBe(receivers.length)
  expect(receivers.length).toBeGreaterThanOrEqual(sentInAll)

  await Promise.all(workers.map((worker) => worker.stop()))
  await Promise.all([system.stop(), server.stop(), mongo.close()])

  async function statesOf(campaign: TestCampaign): Promise<{ sent: number; unknown: number; left: number }> {
    const invitations = db.collection<Document>('invitations')
    const count = (state: string) => invitations.countDocuments({ partner_campaign_id: campaign.id, state })
    const [sent, unknown] = [await count('sent'), await count('unknown')]
    return { sent, unknown, left: 12 - sent - unknown }
  }
})
