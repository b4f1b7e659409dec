import { retried } from '@gatehouse/test/harness/retried.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'
import en from './languages/en.json' with { type: 'json' }
import { languages } from './languages.ts'
import { listOf, numbersOf, TestPartner } from './test-partner.ts'
import { uploadLimits } from './uploads/upload-limits.ts'

describe('a partner’s pages', () => {
  const mongo = new MongoClient(inject('mongodbUrl'))
  let system: System

  beforeAll(async () => {
    system = await sharedSystem()
  })
  afterAll(async () => {
    await system?.stop()
    await mongo.close()
  })

  const stored = (collection: string) =>
    mongo.db(`${system.namespace}_partners`).collection<{ _id: string; [field: string]: unknown }>(collection)
  const emailsOf = async (campaign: TestCampaign) => (await campaign.invitations()).map(({ email }) => email).toSorted()

  describe('the link', () => {
    test(
      'sets a cookie for the pages of its campaign, and leads to them: the token is in no further address',
      slow,
      async () => {
        const campaign = await TestCampaign.open(system)
        const answer = await fetch(campaign.page, { redirect: 'manual' })
        const path = `/partner/${campaign.id}`
        expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
        expect(answer.headers.getSetCookie()).toEqual([
          `gatehouse_partner=${campaign.token}; Path=${path}; Max-Age=28800; HttpOnly; SameSite=Lax`,
        ])
        expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
        expect(answer.headers.get('cache-control')).toBe('no-store')
        const partner = await TestPartner.enter(campaign)
        for (const page of [await partner.open(), await partner.open('/new'), await partner.give('ada@example.org')]) {
          expect(page.status).toBe(200)
          expect(page.text).not.toContain(campaign.token)
        }
      },
    )

    test('which is opened by a scanner changes nothing, nor does any page that is opened', slow, async () => {
      const campaign = await TestCampaign.open(system)
      const partner = await TestPartner.enter(campaign)
      const checked = await partner.give('ada@example.org')
      const before = await campaign.counters()
      for (const method of ['GET', 'HEAD']) {
        for (const url of [campaign.page, partner.home, `${partner.home}/new`, checked.url, `${checked.url}/message`])
          await partner.session.request(url, { method })
      }
      expect(await campaign.counters()).toEqual(before)
      expect(await campaign.invitations()).toEqual([])
    })

    test(
      'of a wrong, revoked or expired token, and of a deleted campaign or partner has the same page: 404',
      slow,
      async () => {
        const [revoked, expired, deleted, ofDeleted] = await Promise.all(
          [1, 2, 3, 4].map(() => TestCampaign.open(system)),
        )
        if (!revoked || !expired || !deleted || !ofDeleted) throw new Error('There is no campaign')
        const all = [revoked, expired, deleted, ofDeleted]
        const partners = await Promise.all(all.map((campaign) => TestPartner.enter(campaign)))
        const tokens = `partners/${revoked.partner}/partner_campaigns/${revoked.id}/partner_access_tokens`
        const [{ _id }] = await revoked.testEvent.read(`${tokens}.json`)
        await revoked.testEvent.remove(`${tokens}/${_id}.json`)
        const past = new Date(Date.now() - 1_000)
        await stored('partner_access_tokens').updateOne(
          { partner_campaign_id: expired.id },
          { $set: { expires_at: past } },
        )
        await deleted.testEvent.api('DELETE', `invitation_types/${deleted.type}/partner_campaigns/${deleted.id}.json`)
        await ofDeleted.testEvent.api('DELETE', `partners/${ofDeleted.partner}.json`)
        const links = [
          ...all.map(({ page }) => page),
          `${system.url}/partner/x`,
          `${system.url}/partner/gh_partner_${'x'.repeat(43)}`,
        ]
        const pages = await Promise.all([
          ...links.map((link) => partners[0]?.session.open(link)),
          ...partners.flatMap((partner) => [partner.open(), partner.open('/new'), partner.open('/failed')]),
          partners[0]?.open(`/uploads/${'0'.repeat(24)}`),
          partners[0]?.open('/nowhere'),
          fetch(partners[0]?.home ?? '').then(async (answer) => ({ status: answer.status, text: await answer.text() })),
        ])
        expect(new Set(pages.map((page) => page?.status))).toEqual(new Set([404]))
        expect(new Set(pages.map((page) => page?.text)).size).toBe(1)
        expect(pages[0]?.text).toContain(en.nothing)
      },
    )
  })

  test('a token that is revoked between two steps stops the second: nothing is sent', async () => {
    const campaign = await TestCampaign.open(system)
    const partner = await TestPartner.enter(campaign)
    const csrf = await partner.csrf()
    const checked = await partner.give('ada@example.org')
    await stored('partner_access_tokens').deleteMany({ partner_campaign_id: campaign.id })
    expect((await partner.send(checked)).status).toBe(404)
    expect((await partner.give('bob@example.org', { csrf })).status).toBe(404)
    expect((await partner.open()).status).toBe(404)
    expect(await stored('invitations').countDocuments({ partner_campaign_id: campaign.id })).toBe(0)
  })

  test('a campaign that is deleted between two steps gets no invitation', async () => {
    const campaign = await TestCampaign.open(system)
    const partner = await TestPartner.enter(campaign)
    const checked = await partner.give('ada@example.org')
    await campaign.testEvent.api('DELETE', `invitation_types/${campaign.type}/partner_campaigns/${campaign.id}.json`)
    expect((await partner.send(checked)).status).toBe(404)
    expect(await stored('invitations').countDocuments({ partner_campaign_id: campaign.id })).toBe(0)
  })

  test('nothing is sent once the event is archived', async () => {
    const campaign = await TestCampaign.open(system)
    const partner = await TestPartner.enter(campaign)
    const checked = await partner.give('ada@example.org')
    expect((await system.api('PUT', `events/${campaign.testEvent.id}.json`, { archived: true })).status).toBe(204)
    expect((await partner.send(checked)).status).toBe(409)
    expect(await stored('invitations').countDocuments({ partner_campaign_id: campaign.id })).toBe(0)
  })

  test('two campaigns can be open in one browser: each gets what is given on its own pages', slow, async () => {
    const [one, two] = [await TestCampaign.open(system), await TestCampaign.open(system)]
    const first = await TestPartner.enter(one)
    await first.session.open(two.page)
    await first.send(await first.give('ada@example.org'))
    expect([await emailsOf(one), await emailsOf(two)]).toEqual([['ada@example.org'], []])
  })

  test('the page is headed by the event, names the partner, and says nothing of e-mails before there are any', async () => {
    const testEvent = await TestEvent.open(system, { title: 'Opening Night' })
    const campaign = await TestCampaign.open(system, {
      testEvent,
      partner: { name: 'Acme' },
      quota: 3,
      type: { name: 'Sponsors, second choice' },
    })
    const { text } = await (await TestPartner.enter(campaign)).open()
    expect(text).toContain('<h1>Opening Night</h1>')
    expect(text).toContain('You invite guests on behalf of Acme.')
    expect(text.split('<body>')[1]?.split('Opening Night')).toHaveLength(2)
    for (const each of ['Sponsors, second choice', en.none_waiting]) expect(text).not.toContain(each)
    expect(text.split(`>${en.used}<`)).toHaveLength(2)
  })

  test('before anybody is invited, the form for the invitations stands first, then the numbers', async () => {
    const campaign = await TestCampaign.open(system)
    const partner = await TestPartner.enter(campaign)
    const form = `<form method="post" action="/partner/${campaign.id}/new"`
    const { text } = await partner.open()
    const places = [form, 'name="addresses"', en.check, en.numbers].map((each) => text.indexOf(each))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    await campaign.invite(['ada@example.org'])
    const later = await partner.open()
    expect([later.text.includes(form), later.text.includes(`/new">${en.add}</a>`)]).toEqual([false, true])
  })

  test('a partner whose quota is used is told so in place of the form and the way to it', async () => {
    const campaign = await TestCampaign.open(system, { quota: 2 })
    const partner = await TestPartner.enter(campaign)
    const shown = async () => {
      const { text } = await partner.open()
      return [text.includes(`/new">${en.add}</a>`), text.includes(en.all_used)]
    }
    await campaign.invite(['ada@example.org'])
    expect(await shown()).toEqual([true, false])
    await campaign.invite(['bob@example.org'])
    expect(await shown()).toEqual([false, true])
    const { text } = await partner.open('/new')
    expect([text.includes(en.all_used), text.includes('<form'), text.includes('<script')]).toEqual([true, false, false])
  })

  test('a partner whose campaign has paused itself is told why its e-mails wait', async () => {
    const campaign = await TestCampaign.open(system)
    await stored('partner_campaigns').updateOne({ _id: campaign.id }, { $set: { paused_at: new Date() } })
    expect((await (await TestPartner.enter(campaign)).open()).text).toContain(en.paused_itself)
  })

  test('a partner whose e-mails the organizer has paused is told so, and can go on', async () => {
    const campaign = await TestCampaign.open(system, { partner: { disable_emails: true } })
    const partner = await TestPartner.enter(campaign)
    expect((await partner.open()).text).toContain(en.paused)
    expect((await partner.send(await partner.give('ada@example.org'))).text).toContain(en.report_title)
  })

  test('before anything is sent the page shows good, bad and repeated rows, who is invited, who is too many, and the message', async () => {
    const testEvent = await TestEvent.open(system, { title: 'Opening & <More>', reply_to_email: 'guests@example.com' })
    const campaign = await TestCampaign.open(system, {
      testEvent,
      partner: { name: 'Acme' },
      quota: 3,
      type: {
        subject: 'Dear {{first_name}}',
        message: 'Come, {{first_name}} {{last_name}}, to {{event_title}}: {{link}}',
      },
    })
    await campaign.invite(['old@example.org'])
    const partner = await TestPartner.enter(campaign)
    const list =
      'old@example.org\n"Lovelace, A<b>" <ada@example.org>\nnobody\nb@example.org\nc@example.org\nADA@example.org'
    const page = await partner.give(list)
    expect(numbersOf(page)).toEqual({
      [en.good]: 2,
      [en.already]: 1,
      [en.duplicates]: 1,
      [en.bad]: 1,
      [en.beyond]: 1,
    })
    expect(listOf(page, en.good)).toEqual([
      'ada@example.org<br><span class="hint">A&lt;b&gt; Lovelace</span>',
      'b@example.org',
    ])
    for (const shown of [
      'Line 3: is not a valid e-mail address',
      'Line 6: ADA@example.org (same as line 2)',
      'Line 1: old@example.org',
      'Dear A&lt;b&gt;',
      'Come, A&lt;b&gt; Lovelace, to Opening &amp; &lt;More&gt;: http',
      'guests@example.com',
      'You can still invite 2.',
    ]) {
      expect(page.text).toContain(shown)
    }
    expect(await emailsOf(campaign)).toEqual(['old@example.org'])
    const message = await partner.session.open(`${page.url}/message`)
    expect(message.text).toContain('Come, A&lt;b&gt; Lovelace')
    // Nothing but the account's logo is loaded.
    expect(message.headers.get('content-security-policy')).toContain("img-src 'self'; sandbox")
    const corrected = await partner.session.open(`${partner.home}/new?from=${page.url.split('/').at(-1)}`)
    expect(corrected.text).toMatch(/&quot;Lovelace, A&lt;b&gt;&quot; &lt;ada@example.org&gt;\r?\nnobody\r?\n/)
  })

  test('the page names those whom the quota leaves out: exactly those whom sending leaves out', slow, async () => {
    const list = ['old', 'a', 'b', 'late', 'nobody@', 'A', 'c', 'd'].map((name) => `${name}@example.org`).join('\n')
    const left = ['Line 7: c@example.org', 'Line 8: d@example.org']
    for (const options of [{ quota: 5 }, { quota: 100, partner: { recipients_quota: 5 } }]) {
      const campaign = await TestCampaign.open(system, options)
      await campaign.invite(['old@example.org', 'late@example.org', 'other@example.org'])
      const partner = await TestPartner.enter(campaign)
      const page = await partner.give(list)
      expect(listOf(page, en.beyond)).toEqual(left)
      expect(listOf(page, en.already)).toEqual(['Line 1: old@example.org', 'Line 4: late@example.org'])
      await partner.send(page)
      const invited = ['a', 'b', 'late', 'old', 'other'].map((name) => `${name}@example.org`)
      expect(await emailsOf(campaign)).toEqual(invited)
    }
  })

  test('of many whom the quota leaves out the first hundred are named, and how many more there are', async () => {
    const campaign = await TestCampaign.open(system, { quota: 1 })
    const all = addresses(1_302)
    const page = await (await TestPartner.enter(campaign)).give(all.join('\n'))
    const named = all.slice(1, 101).map((address, index) => `Line ${index + 2}: ${address}`)
    expect(listOf(page, en.beyond)).toEqual(named)
    expect(page.text).toContain(en.more.replace('{count}', '1201'))
  })

  test('of many who are to be invited the first fifty are named above the button, and how many more there are', async () => {
    const all = addresses(62)
    const page = await (await TestPartner.enter(await TestCampaign.open(system))).give(all.join('\n'))
    expect(listOf(page, en.good)).toEqual(all.slice(0, 50))
    const places = [`<h2>${en.good}</h2>`, en.more.replace('{count}', '12'), en.send.replace('{count}', '62')]
    const found = places.map((each) => page.text.indexOf(each))
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    expect(found).not.toContain(-1)
  })

  test('a page without a list of those left out says so of nobody', async () => {
    const campaign = await TestCampaign.open(system, { quota: 1 })
    const page = await (await TestPartner.enter(campaign)).give('a@example.org')
    expect(listOf(page, en.beyond)).toEqual([])
    expect(page.text).not.toContain('You can still invite')
  })

  test('the message that is shown does not let a partner answer for its recipient', async () => {
    const campaign = await TestCampaign.open(system)
    const partner = await TestPartner.enter(campaign)
    const checked = await partner.give('ada@example.org')
    const [link = ''] = /http[^"\s]+\/rsvp\/[\w/-]+/.exec(checked.text) ?? []
    await partner.send(checked)
    const [{ _id }] = (await campaign.invitations()) as [{ _id: string }]
    expect((await fetch(link)).status).toBe(404)
    expect((await fetch(link.replace('0'.repeat(24), _id))).status).toBe(404)
  })

  test('sending invites each once and reports it, however often it is sent and loaded, and at once', slow, async () => {
    const campaign = await TestCampaign.open(system, { quota: 3 })
    await campaign.invite(['old@example.org'])
    const partner = await TestPartner.enter(campaign)
    const checked = await partner.give(
      'old@example.org\na@example.org\nb@example.org\nc@example.org\nnobody\na@example.org',
    )
    const answers = await Promise.all(Array.from({ length: 5 }, () => partner.send(checked)))
    const report = {
      [en.report_invited]: 2,
      [en.already]: 1,
      [en.duplicates]: 1,
      [en.bad]: 1,
      [en.beyond]: 1,
    }
    for (const answer of [...answers, await partner.send(checked), await partner.session.open(checked.url)]) {
      expect([answer.status, numbersOf(answer)]).toEqual([200, report])
      for (const each of [en.report_done, en.report_deleted, `#invitations">${en.report_each}</a>`])
        expect(answer.text).toContain(each)
    }
    expect(await emailsOf(campaign)).toEqual(['a@example.org', 'b@example.org', 'old@example.org'])
    expect(await campaign.counters()).toMatchObject({ used: 3, left: 0, nb_recipients: 3 })
  })

  test('a sending that a process did not finish goes on when it is sent again', async () => {
    const campaign = await TestCampaign.open(system, { quota: 2 })
    const partner = await TestPartner.enter(campaign)
    const checked = await partner.give('a@example.org\nb@example.org')
    const sending_at = new Date(Date.now() - 1_000)
    await stored('partner_uploads').updateOne({ _id: checked.url.split('/').at(-1) ?? '' }, { $set: { sending_at } })
    await campaign.invite(['a@example.org', 'b@example.org'])
    const again = await partner.session.open(checked.url)
    expect(numbersOf(again)).toMatchObject({ [en.good]: 2, [en.already]: 0, [en.beyond]: 0 })
    expect(listOf(again, en.beyond)).toEqual([])
    expect(numbersOf(await partner.send(again))).toMatchObject({
      [en.report_invited]: 2,
      [en.already]: 0,
    })
  })

  test('10,000 addresses in a file are checked and sent', deep, async () => {
    const campaign = await TestCampaign.open(system, { quota: 20_000 })
    const partner = await TestPartner.enter(campaign)
    const file = Buffer.from(
      `email;first_name;note\n${addresses(10_000)
        .map((each) => `${each};Ada;${'x'.repeat(900)}\n`)
        .join('')}`,
    )
    const checked = await partner.give(file)
    expect([checked.status, numbersOf(checked)]).toMatchObject([200, { [en.good]: 10_000 }])
    expect(numbersOf(await retried(() => partner.send(checked)))).toMatchObject({ [en.report_invited]: 10_000 })
    expect(await campaign.counters()).toMatchObject({ nb_recipients: 10_000 })
  })

  test('the overview lists invitations by state, a page at a time, with their answers and reasons', async () => {
    const campaign = await TestCampaign.open(system)
    await campaign.invite(addresses(60))
    const partner = await TestPartner.enter(campaign)
    expect((await partner.open()).text).toContain('http-equiv="refresh"')
    expect((await partner.open('?still=1')).text).not.toContain('http-equiv="refresh"')
    const shown = ({ text }: { text: string }) => text.match(/guest-\d+@example\.org/g)?.length ?? 0
    const first = await partner.open()
    expect([shown(first), first.text]).toEqual([50, expect.stringContaining('?page=2"')])
    expect(shown(await partner.open('?page=2'))).toBe(10)
    const [{ _id }] = (await campaign.invitations()) as [{ _id: string }]
    const bounced = { state: 'bounced', reason: '550 <No> such mailbox', answer: 'accepted' }
    await stored('invitations').updateOne({ _id }, { $set: bounced, $unset: { due_at: 1, step: 1 } })
    const returned = await partner.open('?state=bounced')
    expect(shown(returned)).toBe(1)
    for (const each of ['550 &lt;No&gt; such mailbox', 'Came back undelivered · Accepted'])
      expect(returned.text).toContain(each)
    expect(shown(await partner.open('?state=queued&page=2'))).toBe(9)
    // Only what there is can be chosen, and what is chosen.
    const filters = ({ text }: { text: string }) =>
      [...(/<nav.*?<\/nav>/s.exec(text)?.[0] ?? '').matchAll(/>([^<]+)<\/a>/g)].map(([, name]) => name)
    expect(filters(returned)).toEqual([en.all, en.queued, en.bounced])
    expect(filters(await partner.open('?state=complained'))).toEqual([en.all, en.queued, en.bounced, en.complained])
    for (const query of ['?page=-1', '?page=x', '?page=1e400', '?page=99999999999', '?state=x', '?state=pending'])
      expect((await partner.open(query)).status).toBe(200)
  })

  test('what needs attention stands first, with its list and the download, and only if there is something', async () => {
    const campaign = await TestCampaign.open(system)
    const partner = await TestPartner.enter(campaign)
    const well = await partner.open()
    for (const each of [en.attention, en.download]) expect(well.text).not.toContain(each)
    const counted = { $set: { [`usage.${campaign.id}.bounced_recipients`]: 2 } }
    await stored('partners').updateOne({ _id: campaign.partner }, counted)
    const { text } = await partner.open()
    const places = [
      en.attention,
      `?state=bounced#invitations">${en.bounced}</a></dt><dd>2</dd>`,
      en.download,
      en.numbers,
    ]
    const found = places.map((each) => text.indexOf(each))
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    expect(found).not.toContain(-1)
  })

  test('what came back or was refused is a CSV in which no cell is a formula', async () => {
    const campaign = await TestCampaign.open(system)
    await campaign.invite([
      { email: 'a@example.org', first_name: '=1+1', last_name: '@x' },
      'b@example.org',
      'c@example.org',
    ])
    const set = (email: string, state: string, reason: string) =>
      stored('invitations').updateOne({ partner_campaign_id: campaign.id, email }, { $set: { state, reason } })
    await set('a@example.org', 'bounced', '-550 "no"')
    await set('b@example.org', 'rejected', 'é')
    const partner = await TestPartner.enter(campaign)
    const { text, headers } = await partner.open('/failed')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="addresses.csv"')
    const lines = [
      'email,first_name,last_name,state,reason',
      `a@example.org,'=1+1,'@x,bounced,"'-550 ""no"""`,
      'b@example.org,,,rejected,é',
      '',
    ]
    expect(text).toBe(lines.join('\r\n'))
  })

  test('forms without the token of their page, and with that of another partner, change nothing: 403', async () => {
    const [campaign, foreign] = [await TestCampaign.open(system), await TestCampaign.open(system)]
    const [partner, other] = [await TestPartner.enter(campaign), await TestPartner.enter(foreign)]
    const checked = await partner.give('ada@example.org')
    for (const csrf of ['x', await other.csrf()]) {
      expect((await partner.give('eve@example.org', { csrf })).status).toBe(403)
      const body = new URLSearchParams({ csrf })
      expect((await partner.session.open(checked.url, { method: 'POST', body })).status).toBe(403)
    }
    expect((await partner.session.open(checked.url, { method: 'POST' })).status).toBe(403)
    expect(await campaign.invitations()).toEqual([])
    expect(await stored('partner_uploads').countDocuments({ partner_campaign_id: campaign.id })).toBe(1)
  })

  test(
    'an upload is its token’s alone: another partner’s, and another token’s of the campaign, is 404',
    slow,
    async () => {
      const [campaign, foreign] = [await TestCampaign.open(system), await TestCampaign.open(system)]
      const partner = await TestPartner.enter(campaign)
      const { url } = await partner.give('bob@example.org')
      const id = url.split('/').at(-1) ?? ''
      const tokens = `partners/${campaign.partner}/partner_campaigns/${campaign.id}/partner_access_tokens.json`
      const second = await campaign.testEvent.make(tokens, {})
      const others = [
        await TestPartner.enter(foreign),
        await TestPartner.enter(Object.assign(Object.create(campaign), { page: second.page_url }) as TestCampaign),
      ]
      for (const other of others) {
        expect((await other.open(`/uploads/${id}`)).status).toBe(404)
        expect((await other.open(`/uploads/${id}/message`)).status).toBe(404)
        const body = new URLSearchParams({ csrf: await other.csrf() })
        const sent = await other.session.open(`${other.home}/uploads/${id}`, { method: 'POST', body })
        expect(sent.status).toBe(404)
        expect((await other.open(`/new?from=${id}`)).text).not.toContain('bob@example.org')
      }
      expect(await campaign.invitations()).toEqual([])
      expect(await foreign.invitations()).toEqual([])
    },
  )

  test('of a token five uploads are kept, for an hour; a sent one loses its content', slow, async () => {
    const campaign = await TestCampaign.open(system)
    const partner = await TestPartner.enter(campaign)
    const csrf = await partner.csrf()
    const given = []
    for (let number = 0; number < 7; number++) given.push(await partner.give(`a${number}@example.org`, { csrf }))
    const statuses = await Promise.all(given.map(({ url }) => partner.session.open(url)))
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 200, 200, 200, 200, 200])
    const last = given.at(-1)
    if (!last) throw new Error('There is no upload')
    const uploads = stored('partner_uploads')
    const old = new Date(Date.now() - 3_601_000)
    await uploads.updateOne({ _id: last.url.split('/').at(-1) ?? '' }, { $set: { created_at: old } })
    const gone = await partner.session.open(last.url)
    expect([gone.status, gone.text]).toEqual([404, expect.stringContaining(en.gone)])
    expect((await uploads.indexes()).find(({ key }) => key.created_at === 1)?.expireAfterSeconds).toBe(3_600)
    await partner.send(given[5] as typeof last)
    expect(await uploads.findOne({ _id: given[5]?.url.split('/').at(-1) ?? '' })).not.toHaveProperty('bytes')
    expect(await storedText(inject('mongodbUrl'), system.namespace)).not.toContain(campaign.token)
  })

  test('garbage, empty forms, both ways at once and other encodings never end in a 500', slow, async () => {
    const campaign = await TestCampaign.open(system)
    const partner = await TestPartner.enter(campaign)
    const csrf = await partner.csrf()
    const post = (body: RequestInit['body'], type = 'multipart/form-data; boundary=x') =>
      partner.session.open(`${partner.home}/new`, {
        method: 'POST',
        body: body ?? null,
        headers: { 'content-type': type },
      })
    const statuses: number[] = []
    for (const body of [
      '',
      '--x',
      '--x--',
      '--x\r\n\r\n',
      `--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}`,
      'x'.repeat(100_000),
    ]) {
      statuses.push((await post(body)).status)
    }
    statuses.push((await post('x', 'multipart/form-data')).status)
    statuses.push((await post('x', 'multipart/form-data; boundary=')).status)
    statuses.push((await post('x', `multipart/form-data; boundary=${'b'.repeat(5_000)}`)).status)
    for (const status of statuses) expect([403, 422]).toContain(status)
    const give = async (content: string | Uint8Array<ArrayBuffer>) => (await partner.give(content, { csrf })).status
    expect(await give('')).toBe(422)
    expect(await give(' \n ')).toBe(422)
    expect(await give(Buffer.alloc(0))).toBe(422)
    expect(await give(Buffer.from('email,"open\n'))).toBe(422)
    expect(await give(addresses(10_001).join('\n'))).toBe(413)
    const noise = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256))
    expect([200, 422]).toContain(await give(noise))
    const both = new FormData()
    for (const [name, value] of Object.entries({ csrf, addresses: 'a@example.org' })) both.set(name, value)
    both.set('file', new Blob(['b@example.org']), 'x.csv')
    expect((await partner.session.open(`${partner.home}/new`, { method: 'POST', body: both })).status).toBe(422)
    const utf16 = await partner.give(Buffer.from('\u{feff}email\tVorname\nzoe@example.org\tZoë\n', 'utf16le'), { csrf })
    expect([utf16.status, utf16.text]).toEqual([200, expect.stringContaining('zoe@example.org')])
    expect(await campaign.invitations()).toEqual([])
  })

  test('an upload that is too large has the page that says so: 413', slow, async () => {
    const partner = await TestPartner.enter(await TestCampaign.open(system))
    const csrf = await partner.csrf()
    const answer = await partner.give(Buffer.alloc(11 * 2 ** 20, 'a'), { csrf })
    expect([answer.status, answer.text]).toEqual([
      413,
      expect.stringContaining('This is too large. The limit is 10 MB.'),
    ])
    // A client that is refused may see the connection closed while it is still sending.
    const huge = await partner.give(Buffer.alloc(30 * 2 ** 20, 'a'), { csrf }).catch(() => undefined)
    expect([413, undefined]).toContain(huge?.status)
    expect((await partner.open()).status).toBe(200)
  })

  test('an upload without a token is not read: 404', async () => {
    const { id } = await TestCampaign.open(system)
    const body = new FormData()
    body.set('file', new Blob([Buffer.alloc(2 ** 20)]), 'x.csv')
    for (const cookie of ['', 'gatehouse_partner=gh_partner_x'])
      expect(
        (await fetch(`${system.url}/partner/${id}/new`, { method: 'POST', body, headers: { cookie } })).status,
      ).toBe(404)
  })

  test('names with markup, line ends and addresses are text everywhere, and redirects stay here', slow, async () => {
    const testEvent = await TestEvent.open(system, { title: '<script>alert(1)</script>', organizer: '"><img src=x>' })
    const campaign = await TestCampaign.open(system, { testEvent, partner: { name: '<script>alert(2)</script>' } })
    const partner = await TestPartner.enter(campaign)
    const csv = 'email,first_name,note\nada@example.org,"<script>\r\nBcc: eve@example.org",<i>\n<script>,x,y\n'
    const checked = await partner.give(Buffer.from(csv))
    const pages = [
      checked,
      await partner.session.open(`${checked.url}/message`),
      await partner.send(checked),
      await partner.open(),
      await partner.open('?state="><script>'),
      await partner.open('/new?from="><script>&problem="><script>'),
    ]
    for (const { status, text, url } of pages) {
      expect([status, url.startsWith(system.url)]).toEqual([200, true])
      expect(text.replaceAll(/<script>\{[^<]*<\/script>/g, '')).not.toMatch(/<(script|img|i)\b/)
    }
    for (const path of ['//evil.example', '/%2F%2Fevil.example', '/https://evil.example'])
      expect((await fetch(`${system.url}/partner${path}`, { redirect: 'manual' })).headers.get('location')).toBeNull()
  })

  test('the colour is that of the account', async () => {
    const partner = await TestPartner.enter(await TestCampaign.open(system))
    expect((await system.api('PUT', 'account.json', { color: '#a1b2c3' })).status).toBe(204)
    expect((await partner.open()).text).toContain('background:#a1b2c3')
  })

  test('the language is the browser’s, else the event’s', async () => {
    const testEvent = await TestEvent.open(system, { locale: 'pl' })
    const campaign = await TestCampaign.open(system, { testEvent })
    expect((await (await TestPartner.enter(campaign)).open()).text).toContain(languages.pl.add)
    const german = await TestPartner.enter(campaign, { 'accept-language': 'de-CH,de;q=0.9' })
    expect((await german.open()).text).toContain('<html lang="de">')
    expect((await german.give('x')).text).toContain(languages.de.bad_email)
  })
})

test(
  'what one account uploads takes its own places: pages of others answer, and so do its own that parse nothing',
  slow,
  async () => {
    // In this process, as its places are.
    const system = await startSystem({ with: ['partners', 'promo'], checkins: 0 })
    const { promise: paused, resolve: goOn } = Promise.withResolvers<void>()
    try {
      const { account_id, auth_token } = await system.account('other')
      const api: System['api'] = (method, path, body, init) =>
        system.api(method, path, body, { token: auth_token, ...init })
      const [one, other] = [await TestCampaign.open(system), await TestCampaign.open({ ...system, account_id, api })]
      const work = [...'abcdefgh'].map((partner_campaign_id) =>
        uploadLimits.hold({ account_id: system.account_id, partner_campaign_id }, () =>
          uploadLimits.parse(system.account_id, () => paused),
        ),
      )
      const [its, others] = [await TestPartner.enter(one), await TestPartner.enter(other)]
      expect((await others.give('ada@example.org')).text).toContain('ada@example.org')
      expect([(await its.open()).status, (await its.open('/new')).status]).toEqual([200, 200])
      goOn()
      await Promise.all(work)
      expect((await its.give('bob@example.org')).text).toContain('bob@example.org')
    } finally {
      goOn()
      await system.stop()
    }
  },
)

test('guesses at links count against their client', slow, async () => {
  const system = await startSystem({
    with: ['partners', 'promo'],
    checkins: 0,
    gateway: { rate_limits: 'on', rate_limit_per_stranger: 3 },
  })
  try {
    const campaign = await TestCampaign.open(system)
    const guess = (): Promise<Response> => fetch(`${system.url}/partner/gh_partner_${'x'.repeat(43)}`)
    const statuses = []
    for (let tries = 0; tries < 5; tries++) statuses.push((await guess()).status)
    expect(statuses).toEqual([404, 404, 404, 429, 429])
    expect((await (await TestPartner.enter(campaign)).open()).status).toBe(200)
  } finally {
    await system.stop()
  }
})
