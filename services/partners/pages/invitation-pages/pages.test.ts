import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type Answer, SECRETS_KEY } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { describe, expect, inject, test } from 'vitest'
import type { UnsubscriptionNote } from '../../campaigns/partners/usage.ts'
import { InvitationLinks } from '../../delivery/invitations/links.ts'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'
import { openCampaign } from '../../testing/test-invitee.ts'
import { beginBatch } from '../../testing/test-sending.ts'
import { languages } from './languages.ts'

const system = await sharedSystem()

// The test is the mail service too: it gets the links as e-mails do.
describe('pages of invitations', () => {
  /** Invites an address and sends its e-mail. Returns that, with its links. */
  const sent = async (campaign: TestCampaign, email = 'ada@example.org') => {
    await campaign.invite([email])
    const batch = await beginBatch(campaign)
    await batch.sent(batch.ids)
    const [mail] = batch.mails
    if (!mail) throw new Error('There is no e-mail')
    return mail
  }
  const oneClick = (link: string) =>
    fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
  const open = async (link: string, language = 'en') => {
    const answer = await fetch(link, { headers: { 'accept-language': language } })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const stateOf = async (campaign: TestCampaign) => (await campaign.invitations()).map(({ state }) => state)

  test('a page names the organizer of the event, else its account, else only the event as its heading, and has colour and logo of the account', async () => {
    const account = (fields: object) => system.api('PUT', 'account.json', fields)
    const headed = async (organizer: string | null): Promise<string> => {
      const testEvent = await TestEvent.open(system, { title: 'Opening', organizer })
      const { link } = await sent(await TestCampaign.open(system, { testEvent }))
      return (await open(link)).text
    }
    const unnamed = await headed(null)
    expect(unnamed).toContain('>Opening</h1>')
    expect(unnamed).not.toContain('class="account"')
    expect((await account({ name: 'Royal <Society>', color: '#ffe600' })).status).toBe(204)
    const headers = { 'content-type': 'image/svg+xml' }
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    const { logo_url } = (await system.api('PUT', 'account/logo.json', drawing, { headers })).body
    const page = await headed(null)
    expect(page).toContain(`<img class="logo" src="${new URL(logo_url).pathname}" alt="">`)
    expect(page).toContain('<p class="account">Royal &lt;Society&gt;</p>')
    expect(page).toMatch(/button[^{}]*\{[^}]*background:#ffe600;[^}]*color:#000000/)
    expect(await headed('Fair & Co')).toContain('<p class="account">Fair &amp; Co</p>')
    expect((await account({ name: null, color: null })).status).toBe(204)
    expect((await system.api('DELETE', 'account/logo.json')).status).toBe(204)
  })

  test('an invitation shows event, dates, place, organizer, who invites and where to answer; values are escaped', async () => {
    const fields = {
      title: '<b>Opening</b>',
      organizer: 'Fair & Co',
      location: 'Hall <3>',
      start_date: '2026-05-04T09:00:00Z',
      timezone: 'Romance Standard Time',
    }
    const testEvent = await TestEvent.open(system, { ...fields, reply_to_email: 'guests@example.com' })
    const campaign = await TestCampaign.open(system, { testEvent, partner: { name: 'Acme <i>' } })
    const { link } = await sent(campaign)
    const { status, text, headers } = await open(link)
    expect(status).toBe(200)
    for (const shown of [
      '&lt;b&gt;Opening',
      'Fair &amp; Co',
      'Acme &lt;i&gt; invites you',
      '4\u00a0May\u00a02026 at 11:00\u00a0CEST',
      '11:00',
      'Hall &lt;3&gt;',
    ]) {
      expect(text).toContain(shown)
    }
    expect(text).toContain('guests@example.com')
    expect(text).not.toMatch(/<(b|i|script)>/)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
    expect((await open(link, 'de')).text).toContain('lädt Sie ein')
    const path = `invitation_types/${campaign.type}/partner_campaigns/${campaign.id}.json`
    await testEvent.api('DELETE', path)
    expect((await open(link)).text).toContain('no longer valid')
  })

  test('all addresses of no invitation have the same page, 404, and change nothing', async () => {
    const campaign = await TestCampaign.open(system)
    const [one, other] = [await sent(campaign), await sent(campaign, 'bob@example.org')]
    const [, , secret = ''] = new URL(other.link).pathname.split('/').slice(1)
    const unknown = one.link.replace(one._id, '0'.repeat(24))
    const wrong = [unknown, `${one.link}x`, `${system.url}/rsvp/${one._id}/${secret}`, `${system.url}/rsvp/x/y`]
    const pages = await Promise.all(wrong.flatMap((link) => [open(link), open(`${link}/unsubscribe`)]))
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
    for (const link of wrong) expect((await oneClick(`${link}/unsubscribe`)).status).toBe(404)
    expect(await stateOf(campaign)).toEqual(['sent', 'sent'])
  })

  test(
    'opening the link to unsubscribe changes nothing; its button, or one click in the mail program, twenty times at once, count once',
    slow,
    async () => {
      const campaign = await TestCampaign.open(system)
      const { unsubscribe_link } = await sent(campaign)
      const page = await open(unsubscribe_link)
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('<form method="post"')])
      await fetch(unsubscribe_link, { method: 'HEAD' })
      expect(await stateOf(campaign)).toEqual(['sent'])
      const answers = await Promise.all(Array.from({ length: 20 }, () => oneClick(unsubscribe_link)))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      const form = await fetch(unsubscribe_link, { method: 'POST' })
      expect([form.status, await form.text()]).toEqual([200, expect.stringContaining('You have unsubscribed')])
      expect((await open(unsubscribe_link)).text).toContain('You have unsubscribed')
      expect(await stateOf(campaign)).toEqual(['unsubscribed'])
      const counted = { nb_email_sent: 1, unsubscribed_recipients: 1 }
      await expect.poll(() => campaign.counters()).toMatchObject({ ...counted, used: 1 })
      expect(await campaign.organizersView()).toMatchObject(counted)
    },
  )

  test(
    'no further e-mail of the event goes to the address: neither queued ones nor later batches, of no partner',
    slow,
    async () => {
      const campaign = await TestCampaign.open(system)
      const { testEvent } = campaign
      const [other, elsewhere] = [await TestCampaign.open(system, { testEvent }), await TestCampaign.open(system)]
      await Promise.all([other, elsewhere].map((each) => each.invite(['ADA@example.org', 'bob@example.org'])))
      await oneClick((await sent(campaign)).unsubscribe_link)
      const later = await TestCampaign.attach(testEvent, campaign.partner)
      await later.invite(['ada@example.org'])
      const [waiting, foreign, late] = [await beginBatch(other), await beginBatch(elsewhere), await beginBatch(later)]
      expect([waiting.ids.length, foreign.ids.length, late.ids.length]).toEqual([1, 2, 0])
      await waiting.sent(waiting.ids)
      const invitations = await other.invitations()
      expect(invitations.find(({ email }) => email === 'ADA@example.org')).toMatchObject({
        state: 'blocked',
        reason: 'The recipient has unsubscribed',
      })
      expect(await other.counters()).toMatchObject({ used: 1, blacklisted_recipients: 1, unsubscribed_recipients: 0 })
    },
  )

  test('of a deleted partner still unsubscribes who got its e-mail, with the right secret alone, and cannot be answered', async () => {
    const campaign = await TestCampaign.open(system)
    const { testEvent } = campaign
    const other = await TestCampaign.open(system, { testEvent })
    const { link, unsubscribe_link } = await sent(campaign)
    await campaign.invite(['bob@example.org'])
    const [, queued] = (await campaign.invitations()).toReversed()
    expect((await testEvent.api('DELETE', `partners/${campaign.partner}.json`)).status).toBe(200)
    expect((await open(link)).text).toContain('no longer valid')
    const answered = await fetch(link, { method: 'POST', body: new URLSearchParams({ answer: 'accepted' }) })
    expect(answered.status).toBe(409)
    const links = new InvitationLinks({ public_url: system.url, secrets_key: SECRETS_KEY })
    const wrong = [`${link.slice(0, -1)}${link.endsWith('x') ? 'y' : 'x'}`, links.of(testEvent.id, queued._id)]
    for (const each of wrong) expect((await oneClick(`${each}/unsubscribe`)).status).toBe(404)
    expect((await open(unsubscribe_link)).text).toContain('<form method="post"')
    expect((await oneClick(unsubscribe_link)).status).toBe(200)
    expect((await open(unsubscribe_link)).text).toContain('You have unsubscribed')
    await other.invite(['ada@example.org', 'bob@example.org'])
    const batch = await beginBatch(other)
    expect(batch.ids).toHaveLength(1)
    await batch.sent(batch.ids)
  })

  describe('an answer', () => {
    const answer = (link: string, given: string) =>
      fetch(link, { method: 'POST', body: new URLSearchParams({ answer: given }) })
    const guestsOf = ({ testEvent }: TestCampaign) => testEvent.read('guests.json?guest_metadata=true')
    const answersOf = async (campaign: TestCampaign) => (await campaign.invitations()).map(({ answer }) => answer)
    const withCategory = (event: object = {}) => openCampaign(system, { event })

    test(
      'accepted twenty times at once makes one guest, with what the partner gave; the page has its QR code',
      slow,
      async () => {
        const campaign = await withCategory()
        const ada = {
          email: 'ada@example.org',
          first_name: 'Ada',
          last_name: 'Lovelace',
          guest_metadata: { diet: 'none', partner: 'x' },
        }
        await campaign.invite([ada])
        const { link } = await sent(campaign)
        expect((await open(link)).text).toContain('value="accepted"')
        expect(await answersOf(campaign)).toEqual([null])
        const answers = await Promise.all(Array.from({ length: 20 }, () => answer(link, 'accepted')))
        expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
        const guests = await guestsOf(campaign)
        const { name } = await campaign.organizersView()
        expect(guests).toMatchObject([
          {
            email: ada.email,
            first_name: 'Ada',
            last_name: 'Lovelace',
            rsvp_status: 'accepted',
            guest_metadata: [
              { name: 'diet', value: 'none' },
              { name: 'partner', value: name },
              { name: 'campaign', value: 'Evening' },
            ],
          },
        ])
        expect(await answersOf(campaign)).toEqual(['accepted'])
        const { qrcode_url } = await campaign.testEvent.read(`guests/${guests[0]._id}.json?qrcode_url=true`)
        const { text } = await open(link)
        expect(text).toContain('You have accepted')
        expect(text).toContain(`<img src="${new URL(qrcode_url).pathname}"`)
      },
    )

    test('can be changed until the event begins, and the guest follows; the last one of many holds', slow, async () => {
      const campaign = await withCategory({ start_date: '2999-01-01T00:00:00Z' })
      const { link } = await sent(campaign)
      expect((await answer(link, 'declined')).status).toBe(200)
      expect([await guestsOf(campaign), await answersOf(campaign)]).toEqual([[], ['declined']])
      for (const given of ['accepted', 'declined', 'accepted']) {
        expect(await (await answer(link, given)).text()).toContain(`You have ${given}`)
        expect([await guestsOf(campaign), await answersOf(campaign)]).toMatchObject([[{ rsvp_status: given }], [given]])
      }
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => answer(link, index % 2 === 0 ? 'accepted' : 'declined')),
      )
      const [last] = await answersOf(campaign)
      expect(await guestsOf(campaign)).toMatchObject([{ rsvp_status: last }])
      await system.api('PUT', `events/${campaign.testEvent.id}.json`, { start_date: '2020-01-01T00:00:00Z' })
      const changed = await answer(link, last === 'accepted' ? 'declined' : 'accepted')
      expect([changed.status, await changed.text()]).toEqual([409, expect.stringContaining('can no longer be changed')])
      expect(await answersOf(campaign)).toEqual([last])
    })

    test('given at once with the other one, as the first, leaves the guest with the one that holds', slow, async () => {
      const campaign = await withCategory()
      await campaign.invite(addresses(20))
      const batch = await beginBatch(campaign)
      await batch.sent(batch.ids)
      await Promise.all(batch.mails.flatMap(({ link }) => [answer(link, 'accepted'), answer(link, 'declined')]))
      const statusOf = new Map(
        (await guestsOf(campaign)).map((guest: Answer['body']) => [guest.email, guest.rsvp_status]),
      )
      for (const invitation of await campaign.invitations()) {
        const none = invitation.answer === 'declined' ? 'declined' : undefined
        expect(statusOf.get(invitation.email) ?? none, invitation.email).toBe(invitation.answer)
      }
    })

    test('of an event that is archived is 409, and makes no guest', async () => {
      const campaign = await withCategory()
      const { link } = await sent(campaign)
      expect((await system.api('PUT', `events/${campaign.testEvent.id}.json`, { archived: true })).status).toBe(204)
      const late = await answer(link, 'accepted')
      expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('no longer valid')])
      expect(await guestsOf(campaign)).toEqual([])
    })

    test(
      'of a withdrawn invitation, or of one whose type has no category, is 409; any other answer is 400',
      slow,
      async () => {
        const campaign = await withCategory()
        const silent = await TestCampaign.open(system)
        const [{ link }, other] = [await sent(campaign), await sent(silent)]
        expect((await answer(link, 'perhaps')).status).toBe(400)
        const refused = await answer(other.link, 'accepted')
        expect([refused.status, await refused.text()]).toEqual([
          409,
          expect.stringContaining('You cannot respond to this invitation here'),
        ])
        expect(await (await answer(link, 'declined')).text()).toContain(languages.en.declined)
        await campaign.testEvent.api(
          'DELETE',
          `invitation_types/${campaign.type}/partner_campaigns/${campaign.id}.json`,
        )
        const late = await answer(link, 'accepted')
        const text = await late.text()
        expect([late.status, text]).toEqual([409, expect.stringContaining('no longer valid')])
        expect(text).not.toContain(languages.en.declined)
        expect([await guestsOf(campaign), await guestsOf(silent)]).toEqual([[], []])
      },
    )

    test('which a process stored before it died is completed', slow, async () => {
      const campaign = await withCategory()
      const { _id } = await sent(campaign)
      const mongo = await MongoClient.connect(inject('mongodbUrl'))
      const invitations = mongo.db(`${system.namespace}_partners`).collection<{ _id: string }>('invitations')
      const left = { answer: 'accepted', answer_version: 1, answer_due: new Date(0) }
      await invitations.updateOne({ _id }, { $set: left })
      await mongo.close()
      await expect.poll(() => guestsOf(campaign)).toMatchObject([{ rsvp_status: 'accepted' }])
    })
  })

  test('who unsubscribes before the outcome is reported stays unsubscribed, and the e-mail is counted', async () => {
    const campaign = await TestCampaign.open(system)
    await campaign.invite(['ada@example.org'])
    const batch = await beginBatch(campaign)
    expect((await oneClick(batch.mails[0]?.unsubscribe_link ?? '')).status).toBe(200)
    await batch.sent(batch.ids)
    expect(await stateOf(campaign)).toEqual(['unsubscribed'])
    expect(await campaign.counters()).toMatchObject({ nb_email_sent: 1, unsubscribed_recipients: 1, used: 1 })
  })

  test('what processes left when they died is completed and counted once', slow, async () => {
    const campaign = await TestCampaign.open(system)
    const { _id } = await sent(campaign)
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const partners = mongo
      .db(`${system.namespace}_partners`)
      .collection<{ _id: string; notes: UnsubscriptionNote[] }>('partners')
    const note = (id: string) => ({ kind: 'unsubscription', id, invitation_id: _id, at: new Date(0) }) as const
    await partners.updateOne({ _id: campaign.partner }, { $push: { notes: { $each: [note('one'), note('two')] } } })
    await expect.poll(async () => (await partners.findOne({ _id: campaign.partner }))?.notes).toEqual([])
    await mongo.close()
    expect(await stateOf(campaign)).toEqual(['unsubscribed'])
    expect(await campaign.counters()).toMatchObject({ unsubscribed_recipients: 1 })
  })
})
