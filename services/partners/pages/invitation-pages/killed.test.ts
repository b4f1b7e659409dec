// @module-tag slow
import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { type Document, MongoClient } from 'mongodb'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openCampaign, TestInvitee } from '../../testing/test-invitee.ts'

// Takes a minute and a half: each kill costs the start of a process, and what a killed process was doing is completed after eight seconds.

test(
  'a partners process killed at any answer of its store: no answer, decision or unsubscription is left half-done',
  deep,
  async () => {
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const system = await startSystem({ with: ['promo'] })
    const killable = await startKillable('partners', system, { deadline_ms: 2_000 })
    onTestFinished(() => killable.stop())
    const db = mongo.db(`${system.namespace}_partners`)
    const [open, moderated] = await Promise.all([
      openCampaign(system, { category: { confirmation_email_enabled: true } }),
      openCampaign(system, { category: { moderated_registrations_enabled: true, confirmation_email_enabled: true } }),
    ])
    let kills = 0
    let nth = 0
    /** Does something, and kills the process at one of the next answers of the store: it may not be answered then. */
    const killing = async (run: () => Promise<unknown>) => {
      const serving = killable.serving()
      nth = 1 + ((nth + 4) % 13)
      const cancel = await killable.killAtAnswer(nth)
      const isKilled = expect.poll(() => killable.serving() !== serving).toBe(true)
      await Promise.race([run(), isKilled]).catch(() => {})
      if (cancel()) kills++
      await killable.serving()
    }

    const accepted: TestInvitee[] = []
    const changed: TestInvitee[] = []
    const approved: TestInvitee[] = []
    const unsubscribed: TestInvitee[] = []
    for (let round = 0; round < 30; round++) {
      const invitees = await Promise.all([open, open, moderated, open].map((campaign) => TestInvitee.invite(campaign)))
      const [one, two, three, four] = invitees as [TestInvitee, TestInvitee, TestInvitee, TestInvitee]
      await killing(() => one.answer('accepted', { first_name: 'Ada' }))
      await two.answer('accepted')
      await killing(() => two.answer('declined'))
      await three.answer('accepted')
      await killing(() => three.decide('approved'))
      await killing(() => fetch(`${four.link}/unsubscribe`, { method: 'POST' }))
      accepted.push(one)
      changed.push(two)
      approved.push(three)
      unsubscribed.push(four)
    }
    expect(kills).toBeGreaterThan(30)

    const left = () => db.collection<Document>('invitations').countDocuments({ answer_due: { $exists: true } })
    const notes = () => db.collection<Document>('partners').countDocuments({ 'notes.0': { $exists: true } })
    await expect.poll(async () => [await left(), await notes()]).toEqual([0, 0])

    const invitations = new Map(
      (await db.collection<{ _id: string } & Document>('invitations').find().toArray()).map((each) => [each._id, each]),
    )
    const guests = new Map(
      (await Promise.all([open, moderated].map(({ testEvent }) => testEvent.all('guests.json'))))
        .flat()
        .map((guest) => [guest.email, guest.rsvp_status]),
    )
    for (const each of [...accepted, ...changed, ...approved]) {
      const invitation = invitations.get(each.id)
      const isAdmitted =
        invitation?.answer === 'accepted' && [undefined, 'approved'].includes(invitation.registration_state)
      // Those who were asked nothing before have no guest, the others have one that follows the answer.
      const none = isAdmitted ? 'missing' : undefined
      const expected = isAdmitted || guests.has(invitation?.email) ? invitation?.answer : none
      expect(guests.get(invitation?.email), each.id).toBe(expected)
      expect([each.id, invitation?.confirmation_since !== undefined]).toEqual([each.id, guests.has(invitation?.email)])
    }
    for (const each of changed) expect(guests.has(invitations.get(each.id)?.email)).toBe(true)
    const done = unsubscribed.filter(({ id }) => invitations.get(id)?.state === 'unsubscribed').length
    expect(await open.counters()).toMatchObject({ unsubscribed_recipients: done })
    const stored = await db.collection<Document>('unsubscriptions').find().toArray()
    const addresses = new Set(stored.map(({ address }) => address))
    for (const { id } of unsubscribed) {
      const invitation = invitations.get(id)
      // The address is stored first; a process that dies right after it has answered nobody.
      if (invitation?.state === 'unsubscribed') expect(addresses.has(invitation.address)).toBe(true)
    }

    await Promise.all([system.stop(), mongo.close()])
  },
)

test('an answer that a process was applying when it died is applied again after a later one', async () => {
  const mongo = await MongoClient.connect(inject('mongodbUrl'))
  const system = await startSystem({ with: ['partners', 'promo'] })
  const campaign = await openCampaign(system)
  const invitee = await TestInvitee.invite(campaign)
  await invitee.answer('accepted')
  const invitations = mongo.db(`${system.namespace}_partners`).collection<{ _id: string } & Document>('invitations')
  // A process has begun to apply the acceptance, and the later refusal is settled before its write arrives.
  await invitations.updateOne(
    { _id: invitee.id },
    { $set: { answer_due: new Date(), following: [{ id: 'slow', at: new Date() }] } },
  )
  await invitee.answer('declined')
  const [guest] = await invitee.guests()
  await campaign.testEvent.change(`guests/${guest._id}.json`, { rsvp_status: 'accepted' })
  expect(await invitations.findOne({ _id: invitee.id })).toMatchObject({ answer_due: expect.any(Date) })
  const statusOf = async () => (await invitee.guests())[0].rsvp_status
  await expect.poll(statusOf).toBe('declined')
  const settled = () => invitations.findOne({ _id: invitee.id, answer_due: { $exists: false } })
  await expect.poll(settled).not.toBeNull()
  await Promise.all([system.stop(), mongo.close()])
})
