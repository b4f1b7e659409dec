import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { startReplica, startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { retried } from '@gatehouse/test/harness/retried.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, seed } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { expect, inject, onTestFinished, test } from 'vitest'
import { FROM, givenMailing, MailingScene } from '../../testing/test-mailing.ts'

// Takes several minutes: a lease lasts for three seconds, that of a page of an audience for fifteen, and each kill ends some.

test(
  'a mail process that is killed while it sends leaves each e-mail sent or unknown, and none twice',
  deep,
  async () => {
    const server = await startMailServer()
    const own = await startSystem({ with: ['promo', 'badges'] })
    const partners = await startReplica('partners', own, { mail_claim_ms: 4_000, mail_retry_delays: '0.1' })
    const mail = { smtp_url: server.url, mail_from: FROM, deadline_ms: 1_000 }
    const doomed = await startReplicaProcess('mail', own, mail)
    const stage = await MailingScene.open(own, server)
    await stage.guests(60)
    let taken = 0
    server.plan(() => async () => {
      taken++
      if (taken === 25) process.kill(doomed.pid, 'SIGKILL')
    })
    const { _id } = await stage.make()
    await stage.act(_id, 'send')
    await expect.poll(() => taken).toBeGreaterThanOrEqual(25)
    await doomed.kill()
    server.plan(() => 'take')
    const worker = await startReplica('mail', own, mail)
    const done = async () => {
      const { nb_email_sent, unknown_recipients } = await stage.read(_id)
      return nb_email_sent + unknown_recipients
    }
    await expect.poll(done).toBe(60)
    expect((await stage.read(_id)).unknown_recipients).toBeGreaterThan(0)
    expect(new Set(stage.receivers()).size).toBe(stage.receivers().length)
    for (const each of [worker, partners, own, server]) await each.stop()
  },
)

test('a partners process that is killed at any answer of its store: each guest gets it once', deep, async () => {
  const server = await startMailServer()
  const own = await startSystem({ with: ['promo'] })
  const killable = await startKillable('partners', own, { mail_claim_ms: 3_000, mail_retry_delays: '0.1' })
  onTestFinished(() => killable.stop())
  const mail = { smtp_url: server.url, mail_from: FROM, deadline_ms: 1_000 }
  const workers = await Promise.all([startReplicaProcess('mail', own, mail), startReplicaProcess('mail', own, mail)])
  const stages: { stage: MailingScene; id: string }[] = []
  await using mongo = await MongoClient.connect(inject('mongodbUrl'))
  const deliveries = mongo.db(`${own.namespace}_partners`).collection('mailing_deliveries')
  let kills = 0
  for (let round = 0; round < 10; round++) {
    const stage = await MailingScene.open(own, server)
    await stage.guests(8)
    const made = await killable.retry(stage.event, 'POST', 'mailings.json', givenMailing)
    expect(made.status, made.text).toBe(201)
    const cancel = await killable.killAtAnswer(1 + ((seed + round * 7) % 25))
    // Without a key: one whose first try was killed counts as running for longer than it is repeated.
    const send = () => stage.event.api('POST', `mailings/${made.body._id}/send.json`)
    expect((await retried(send, killable.serving)).status).toBe(200)
    // Not asked of the process itself, which would be killed at that.
    const over = { partner_id: made.body._id, state: { $in: ['sent', 'unknown'] } }
    await expect.poll(() => deliveries.countDocuments(over)).toBeGreaterThan(0)
    if (cancel()) kills++
    await killable.serving()
    stages.push({ stage, id: made.body._id })
  }
  expect(kills).toBeGreaterThan(5)
  for (const { stage, id } of stages) {
    const done = async () => {
      const { nb_email_sent, unknown_recipients } = await stage.read(id)
      return nb_email_sent + unknown_recipients
    }
    await expect.poll(done).toBe(8)
    const receivers = stage.receivers()
    expect(new Set(receivers).size).toBe(receivers.length)
    await expect.poll(async () => (await stage.read(id)).nb_recipients).toBe(8)
  }
  await Promise.all(workers.map((worker) => worker.stop()))
  await own.stop()
  await server.stop()
})
