// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestCampaign } from '@gatehouse/partners/test-campaign'
import { openCampaign, TestInvitee } from '@gatehouse/partners/test-invitee'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type MailServer, startMailServer, type Treatment } from '@gatehouse/test/harness/mail-server.ts'
import { startReplica, startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'

// Takes half a minute: a process is killed, and badges are made.
describe('the e-mail that confirms a registration', () => {
  let server: MailServer
  let system: System
  let badges: Running
  let partners: Running
  let worker: Running
  let mongo: MongoClient

  const startPartners = (settings = {}) =>
    startReplica('partners', system, { mail_retry_delays: '0.1,0.1,0.1', ...settings })
  const mailSettings = () => ({ smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' })
  const startWorker = (settings = {}) => startReplica('mail', system, { ...mailSettings(), ...settings })

  beforeAll(async () => {
    mongo = await MongoClient.connect(inject('mongodbUrl'))
    server = await startMailServer()
    system = await startSystem({ with: ['promo'] })
    ;[badges, partners, worker] = await Promise.all([startReplica('badges', system), startPartners(), startWorker()])
  })
  afterEach(() => server.plan(() => 'take'))
  afterAll(async () => {
    await worker?.stop()
    await partners?.stop()
    await badges?.stop()
    await system?.stop()
    await server?.stop()
    await mongo?.close()
  })

  const confirming = { confirmation_email_enabled: true }
  /** Someone who has got the invitation. */
  async function invited(campaign: TestCampaign, email: string): Promise<TestInvitee> {
    const invitee = await TestInvitee.invite(campaign, { email })
    await expect.poll(async () => (await invitee.invitation()).state).toBe('sent')
    return invitee
  }
  /** The confirmations of an invitee that the server has taken. */
  const taken = ({ id }: TestInvitee) =>
    server.mails.filter(({ text }) => text.includes(`Message-ID: <${id}.confirmation@`))
  const confirmed = async (invitee: TestInvitee) => {
    await expect.poll(() => taken(invitee)).toHaveLength(1)
    return taken(invitee)[0]?.text ?? ''
  }
  const isEnded = async (invitee: TestInvitee) => {
    const invitations = mongo.db(`${system.namespace}_partners`).collection<{ _id: string }>('invitations')
    const found = await invitations.findOne({ _id: invitee.id })
    return found !== null && 'has_guest' in found && !('confirmation_due' in found)
  }

  test('says where and when in the recipient’s language, with QR code, badge, calendar file and links', async () => {
    const campaign = await openCampaign(system, {
      category: { ...confirming, badge_enabled: true },
      event: {
        title: 'Soirée <b>, "Opening"',
        organizer: 'Fair & Co',
        location: 'Halle 3, Paris',
        start_date: '2030-05-04T18:00:00Z',
        end_date: '2030-05-04T22:00:00Z',
        reply_to_email: 'guests@example.com',
      },
    })
    const invitee = await TestInvitee.invite(campaign, { locale: 'fr' })
    // Without a language of the browser.
    const accepted = await fetch(invitee.link, { method: 'POST', body: new URLSearchParams({ answer: 'accepted' }) })
    expect(accepted.status).toBe(200)
    const text = await confirmed(invitee)
    const [guest] = await invitee.guests()
    for (const part of [
      'Subject: Vous êtes inscrit\u00a0: Soirée <b>, "Opening"',
      'From: "Fair & Co" <noreply@gatehouse.example>',
      'Reply-To: guests@example.com',
      `List-Unsubscribe: <${invitee.link}/unsubscribe>`,
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      '4\u00a0mai\u00a02030',
      `<a href="${invitee.link}"`,
      'Soirée &lt;b&gt;',
      '<img src="cid:qrcode"',
      'Content-ID: <qrcode>',
      'Content-Type: image/png',
      'PNG',
      'Content-Disposition: attachment; filename=badge.pdf',
      '%PDF-',
      'METHOD:PUBLISH',
      `UID:${guest._id}`,
      'DTSTART:20300504T180000Z',
      'DTEND:20300504T220000Z',
      'SUMMARY:Soirée <b>\\, "Opening"',
      '<p>Halle 3, Paris</p>',
      'LOCATION:Halle 3\\, Paris',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=PUBLISH/i)
    await expect.poll(async () => (await invitee.invitation()).confirmed_at).toMatch(/Z$/)
    expect(await campaign.counters()).toMatchObject({ used: 1, nb_recipients: 1 })
  })

  test('goes out once, however often and at once the invitation is accepted; not without confirmation_email_enabled', async () => {
    const [campaign, silent] = [await openCampaign(system, { category: confirming }), await openCampaign(system)]
    const [invitee, other] = [await TestInvitee.invite(campaign), await TestInvitee.invite(silent)]
    await Promise.all(Array.from({ length: 20 }, () => [invitee, other].map((each) => each.answer('accepted'))).flat())
    await confirmed(invitee)
    await invitee.answer('declined')
    await invitee.answer('accepted')
    const last = await TestInvitee.invite(campaign)
    await last.answer('accepted')
    await confirmed(last)
    expect([taken(invitee).length, taken(other).length]).toEqual([1, 0])
  })

  test('goes out when a moderated registration is approved, not before', async () => {
    const campaign = await openCampaign(system, { category: { ...confirming, moderated_registrations_enabled: true } })
    const [invitee, other] = [await TestInvitee.invite(campaign), await TestInvitee.invite(campaign)]
    for (const each of [invitee, other]) await each.answer('accepted')
    await other.decide('approved')
    await confirmed(other)
    expect(taken(invitee)).toEqual([])
    await invitee.decide('approved')
    await confirmed(invitee)
  })

  test('is tried again while the mail server does not take it, with the same Message-ID, also when its answer got lost', async () => {
    const campaign = await openCampaign(system, { category: confirming })
    const invitee = await invited(campaign, 'later@example.org')
    const plan: Treatment[] = ['postpone-message', 'drop-after', 'take']
    server.plan((to) => (to.startsWith('later') ? (plan.shift() ?? 'take') : 'take'))
    await invitee.answer('accepted')
    await expect.poll(() => isEnded(invitee)).toBe(true)
    expect([plan, taken(invitee).length]).toEqual([[], 2])
  })

  test('is given up when the mail server refuses it for good', async () => {
    const campaign = await openCampaign(system, { category: confirming })
    const invitee = await invited(campaign, 'refused@example.org')
    server.plan((to) => (to.startsWith('refused') ? 'refuse-recipient' : 'take'))
    await invitee.answer('accepted')
    await expect.poll(() => isEnded(invitee)).toBe(true)
    expect([taken(invitee), (await invitee.invitation()).confirmed_at]).toEqual([[], null])
  })

  test('does not go to who has unsubscribed, is blocked by the organizer, or has declined; who accepts after all gets it', async () => {
    const campaign = await openCampaign(system, { category: confirming })
    const invitees = await Promise.all(Array.from({ length: 3 }, () => TestInvitee.invite(campaign)))
    const [gone, blocked, declined] = invitees as [TestInvitee, TestInvitee, TestInvitee]
    await fetch(`${gone.link}/unsubscribe`, { method: 'POST' })
    await campaign.testEvent.make('blocked_recipients.json', { address: (await blocked.invitation()).email })
    await worker.stop()
    for (const each of invitees) await each.answer('accepted')
    await declined.answer('declined')
    worker = await startWorker()
    for (const each of invitees) await expect.poll(() => isEnded(each)).toBe(true)
    expect(invitees.flatMap(taken)).toEqual([])
    await declined.answer('accepted')
    await confirmed(declined)
  })

  test('waits while the partner may send no e-mails, and goes afterwards', async () => {
    const campaign = await openCampaign(system, { category: confirming })
    const invitee = await invited(campaign, 'stopped@example.org')
    const partner = `partners/${campaign.partner}.json`
    await campaign.testEvent.change(partner, { disable_emails: true })
    await invitee.answer('accepted')
    const invitations = mongo
      .db(`${system.namespace}_partners`)
      .collection<{ _id: string; confirmation_due: Date }>('invitations')
    // It is postponed for a minute; a claim would hold it for two.
    const isPostponed = async () => {
      const found = await invitations.findOne({ _id: invitee.id })
      const ms = (found?.confirmation_due?.getTime() ?? 0) - Date.now()
      return ms > 10_000 && ms <= 60_000
    }
    await expect.poll(isPostponed).toBe(true)
    expect(taken(invitee)).toEqual([])
    await campaign.testEvent.change(partner, { disable_emails: false })
    await invitations.updateOne({ _id: invitee.id }, { $set: { confirmation_due: new Date() } })
    await confirmed(invitee)
  })

  test('is sent by another process if its own dies, with the same Message-ID', deep, async () => {
    const campaign = await openCampaign(system, { category: confirming })
    const invitee = await invited(campaign, 'killed@example.org')
    await worker.stop()
    const doomed = await startReplicaProcess('mail', system, mailSettings())
    server.plan(() => async () => {
      process.kill(doomed.pid, 'SIGKILL')
    })
    await invitee.answer('accepted')
    await expect.poll(() => taken(invitee).length).toBe(1)
    await doomed.kill()
    server.plan(() => 'take')
    worker = await startWorker()
    const invitations = mongo.db(`${system.namespace}_partners`).collection<{ _id: string }>('invitations')
    // Two minutes later. A claim of the killed process may come after it was killed: that one is over at once, too.
    const isSent = async () => {
      const later = { $set: { confirmation_due: new Date() } }
      await invitations.updateOne({ _id: invitee.id, confirmation_due: { $exists: true } }, later)
      return isEnded(invitee)
    }
    await expect.poll(isSent, { interval: 2_000 }).toBe(true)
    expect(taken(invitee).length).toBeGreaterThan(1)
  })

  test('goes out as soon as its QR code is there, even if that takes longer than a request may', deep, async () => {
    const campaign = await openCampaign(system, { category: confirming })
    const invitee = await TestInvitee.invite(campaign)
    await Promise.all([badges, worker].map((each) => each.stop()))
    const paused = await startReplicaProcess('badges', system)
    // The claim has four times as long, which leaves nine seconds for the e-mail.
    const deadline_ms = 3_000
    worker = await startWorker({ deadline_ms })
    process.kill(paused.pid, 'SIGSTOP')
    try {
      await invitee.answer('accepted')
      const invitations = mongo.db(`${system.namespace}_partners`).collection<{ _id: string }>('invitations')
      const claimed = { _id: invitee.id, confirmation_due: { $gt: new Date(Date.now() + 60_000) } }
      await expect.poll(() => invitations.countDocuments(claimed)).toBe(1)
      await sleep(deadline_ms + 100)
    } finally {
      process.kill(paused.pid, 'SIGCONT')
    }
    expect(await confirmed(invitee)).toContain('Content-ID: <qrcode>')
    await paused.stop()
    badges = await startReplica('badges', system)
  })

  test('waits for QR code and badge for a limited time', async () => {
    const campaign = await openCampaign(system, { category: { ...confirming, badge_enabled: true } })
    const invitee = await TestInvitee.invite(campaign)
    await Promise.all([badges, partners].map((each) => each.stop()))
    partners = await startPartners({ confirmation_wait_ms: 3_000 })
    await invitee.answer('accepted')
    const text = await confirmed(invitee)
    expect(text).toContain(`<a href="${invitee.link}"`)
    expect(text).not.toMatch(/badge|qrcode/i)
  })
})
