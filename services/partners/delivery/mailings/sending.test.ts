// @module-tag slow
import { guests } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { ObjectId } from 'mongodb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { FROM, givenMailing, MailingScene } from '../../testing/test-mailing.ts'

describe('sending mailings (docs/interface.md 19)', () => {
  let server: MailServer
  let system: System
  let processes: Running[]
  let scene: MailingScene

  beforeAll(async () => {
    server = await startMailServer()
    const mail = { smtp_url: server.url, mail_from: FROM }
    system = await startSystem({ with: ['promo', 'badges', 'mail', 'leads', 'hooks'], mail })
    const partners = () =>
      startReplica('partners', system, {
        mail_retry_delays: '0.1',
        mail_claim_ms: 4_000,
        campaign_pause_min_emails: 20,
      })
    processes = await Promise.all([partners(), partners(), startReplica('mail', system, mail)])
  })
  afterAll(async () => {
    await Promise.all(processes?.map((each) => each.stop()) ?? [])
    await system?.stop()
    await server?.stop()
  })
  afterEach(() => server.plan(() => 'take'))
  beforeEach(async () => {
    scene = await MailingScene.open(system, server)
  })

  const unsubscribe = async (mail: { text: string } | undefined): Promise<string> => {
    const [, link = ''] = /List-Unsubscribe: <(\S+)>/.exec(mail?.text ?? '') ?? []
    expect((await fetch(link, { method: 'POST' })).status).toBe(200)
    return link
  }

  test('each guest with an address gets one with the own values, by two processes of each service; however often it is sent', async () => {
    await scene.guests(45)
    await scene.guest('nobody', { email: null })
    const { _id } = await scene.make()
    await Promise.all(Array.from({ length: 5 }, () => scene.act(_id, 'send')))
    await expect.poll(async () => (await scene.read(_id)).nb_email_sent).toBe(45)
    await scene.act(_id, 'send')
    const names = Array.from({ length: 45 }, (_, index) => `guest-${index}`).sort()
    expect(scene.receivers()).toEqual(names)
    for (const { to, text } of scene.mails()) expect(text).toContain(`Subject: For ${to[0]?.split('@')[0]}`)
    const counters = { nb_recipients: 45, nb_recipients_email_sent: 45, unknown_recipients: 0, rejected_recipients: 0 }
    await expect.poll(() => scene.read(_id)).toMatchObject(counters)
    expect((await scene.read(_id)).started_at).toMatch(/Z$/)
  })

  test('the list of guests tells those to whom one was handed over from the others (8.41)', async () => {
    await scene.guests(3)
    await scene.guest('refused')
    await scene.guest('nobody', { email: null })
    server.plan((to) => (to.startsWith('refused') ? 'refuse-recipient' : 'take'))
    const { _id } = await scene.make()
    await scene.act(_id, 'send')
    const listed = async (mailed: boolean): Promise<string[]> =>
      (await scene.event.read(`guests.json?mailed=${mailed}&sort=created_at`)).map(({ uid }: { uid: string }) => uid)
    await expect.poll(() => listed(true)).toHaveLength(3)
    expect((await listed(true)).sort()).toEqual(['guest-0', 'guest-1', 'guest-2'])
    expect((await listed(false)).sort()).toEqual(['nobody', 'refused'])
  })

  test('has QR code and calendar file of each guest', async () => {
    await system.api('PUT', `events/${scene.event.id}.json`, { start_date: '2030-05-04T18:00:00Z' })
    const [one, two] = [await scene.guest('one'), await scene.guest('two')]
    await scene.sent({ message: '{{qrcode}} {{calendar}}' }, 2)
    for (const [name, id] of [['one', one] as const, ['two', two] as const]) {
      const [mail] = scene.mails(`Subject: For ${name}`)
      expect(mail?.text).toContain('Content-ID: <qrcode>')
      expect(mail?.text).toContain(`UID:${id}`)
    }
  })

  test('counts those to whom it would go: guests with an address, by its audience, and those without one', async () => {
    const vip = await scene.event.category('VIP')
    await scene.guests(2)
    await scene.guest('vip', {}, vip)
    await scene.guest('nobody', { email: null }, vip)
    const countOf = async (audience: object): Promise<unknown> => {
      const { _id } = await scene.make({ audience })
      return scene.event.read(`mailings/${_id}/audience.json`)
    }
    expect(await countOf({})).toEqual({ count: 3, is_complete: true, without_email: 1 })
    expect(await countOf({ guest_category_ids: [vip] })).toEqual({ count: 1, is_complete: true, without_email: 1 })
    const { _id } = await scene.make({ audience: { guest_category_ids: [vip] } })
    expect(await countOf({ not_in_mailing_id: _id })).toEqual({ count: 3, is_complete: true, without_email: 1 })
  })

  test('goes to those of its audience alone: by category, answer, entry, who does not get another mailing, and who got none', async () => {
    const vip = await scene.event.category('VIP')
    await scene.guest('plain')
    await scene.guest('accepted', { rsvp_status: 'accepted' })
    await scene.guest('vip', {}, vip)
    await scene.guest('inside', {}, vip)
    const door = await scene.event.point()
    await scene.event.link(vip, door, -1)
    await scene.event.scan(door, 'inside')
    const entered = async () => (await scene.event.read('guests.json?checked_in=true')).length
    await expect.poll(entered).toBe(1)
    const audience = (fields: object) => ({ audience: fields })
    const sent = async (subject: string, fields: object, names: string[]) => {
      const mailing = await scene.sent({ subject, ...audience(fields) }, names.length)
      expect(scene.receivers(`Subject: ${subject}`)).toEqual(names)
      return mailing._id as string
    }
    const first = await sent('of category', { guest_category_ids: [vip] }, ['inside', 'vip'])
    await sent('of status', { rsvp_status: 'accepted' }, ['accepted'])
    await sent('of entry', { checked_in: true }, ['inside'])
    await sent('of absence', { guest_category_ids: [vip], checked_in: false }, ['vip'])
    await sent('of others', { not_in_mailing_id: first }, ['accepted', 'plain'])
    await scene.guest('late')
    await expect.poll(async () => (await scene.event.read('guests.json?mailed=true')).length).toBe(4)
    await sent('of nobody yet', { mailed: false }, ['late'])
  })

  test('a large audience is found page by page, each guest once', async () => {
    const { event, category, domain } = scene
    const many = Array.from({ length: 2_005 }, (_, index) => ({
      _id: new ObjectId().toHexString(),
      ...{ guest_category_id: category, uid: `many-${index}`, email: `many-${index}@${domain}` },
    }))
    const client = clientOf(system.bus, guests)
    for (let from = 0; from < many.length; from += 500) {
      const body = many.slice(from, from + 500) as never
      await client.create_many({ query: { event_id: event.id }, body })
    }
    const { _id } = await scene.make()
    await scene.act(_id, 'pause')
    await scene.act(_id, 'send')
    await expect.poll(async () => (await scene.read(_id)).nb_recipients).toBe(2_005)
  })

  test('an audience names categories and mailings of its event, and a known status; an ongoing mailing needs closes_at: 422', async () => {
    const elsewhere = await MailingScene.open(system, server)
    const { _id: not_in_mailing_id } = await elsewhere.make()
    const audience = { guest_category_ids: [elsewhere.category], rsvp_status: 'perhaps', not_in_mailing_id }
    expect(await scene.event.refused('mailings.json', { ...givenMailing, audience, ongoing: true })).toEqual({
      guest_category_ids: ['is not a guest category of the event'],
      rsvp_status: ['is not one of not_replied, accepted, declined'],
      not_in_mailing_id: ['is not a mailing of the event'],
      closes_at: ["can't be blank"],
    })
  })

  test('a pause holds what has not begun; it goes once the mailing is resumed', async () => {
    await scene.guests(30)
    const { _id } = await scene.make()
    expect((await scene.act(_id, 'pause')).paused_at).toMatch(/Z$/)
    await scene.act(_id, 'send')
    await expect.poll(async () => (await scene.read(_id)).nb_recipients).toBe(30)
    // Another mailing, which comes behind it in the queue.
    await scene.sent({ subject: 'Other' }, 30)
    expect(scene.mails('Subject: For')).toEqual([])
    expect(await scene.act(_id, 'resume')).toMatchObject({ paused_at: null, pause_reason: null, is_sent: false })
    await expect.poll(async () => (await scene.read(_id)).nb_email_sent).toBe(30)
    expect(new Set(scene.receivers('Subject: For')).size).toBe(30)
    await expect.poll(async () => (await scene.read(_id)).is_sent).toBe(true)
    expect(await scene.event.read('mailings.json')).toMatchObject([{ is_sent: true }, { is_sent: true }])
  })

  test('nothing is sent before send_at', async () => {
    await scene.guest('early')
    const { _id } = await scene.make({ send_at: new Date(Date.now() + 3_600_000).toISOString() })
    await scene.act(_id, 'send')
    await scene.sent({ subject: 'Other' }, 1)
    expect([scene.receivers('Subject: For'), (await scene.read(_id)).nb_recipients]).toEqual([[], 0])
  })

  test('who joins the audience of an ongoing mailing gets it too, once', async () => {
    await scene.guest('first')
    const closes_at = new Date(Date.now() + 3_600_000).toISOString()
    const { _id } = await scene.sent({ ongoing: true, closes_at }, 1)
    await scene.guest('later')
    await expect.poll(async () => (await scene.read(_id)).nb_email_sent).toBe(2)
    expect(scene.receivers()).toEqual(['first', 'later'])
  })

  test('who has unsubscribed gets no more of any, and is counted once; its link answers nothing', async () => {
    await scene.guest('leaver')
    await scene.guest('stayer')
    const { _id } = await scene.sent({}, 2)
    const [mail] = scene.mails('Subject: For leaver')
    const link = await unsubscribe(mail)
    await unsubscribe(mail)
    await expect.poll(async () => (await scene.read(_id)).unsubscribed_recipients).toBe(1)
    const next = await scene.sent({ subject: 'Next' }, 1)
    await expect.poll(async () => (await scene.read(next._id)).blacklisted_recipients).toBe(1)
    expect(scene.receivers('Subject: Next')).toEqual(['stayer'])
    const page = link.replace(/\/unsubscribe$/, '')
    const answered = await fetch(page, { method: 'POST', body: new URLSearchParams({ answer: 'accepted' }) })
    expect(answered.status).toBe(409)
    expect(await scene.event.read('guests.json')).toHaveLength(2)
  })

  test('hard bounces and complaints are counted once, and suppress the address in the event', async () => {
    await scene.guests(2)
    const { _id } = await scene.sent({}, 2)
    const ids = scene.mails().map(({ text }) => /Message-ID: <([0-9a-f]{24})@/.exec(text)?.[1])
    const events = [
      { invitation_id: ids[0], type: 'bounced', bounce_type: 'hard' },
      { invitation_id: ids[1], type: 'complained' },
    ]
    for (let n = 0; n < 2; n++) expect((await system.api('POST', 'mail_events.json', events)).status).toBe(201)
    expect(await scene.read(_id)).toMatchObject({ bounced_recipients: 1, spammed_recipients: 1 })
    expect(await scene.event.read('suppressions.json')).toHaveLength(2)
    const other = await system.account('strangers')
    const stranger = await system.api('POST', 'mail_events.json', events, { token: other.auth_token })
    expect(stranger.status).toBe(422)
  })

  test('pauses itself when too many of its e-mails come back, and goes on when it is resumed', async () => {
    await scene.guests(20)
    const closes_at = new Date(Date.now() + 3_600_000).toISOString()
    const { _id } = await scene.sent({ ongoing: true, closes_at }, 20)
    const ids = scene.mails().map(({ text }) => /Message-ID: <([0-9a-f]{24})@/.exec(text)?.[1])
    const events = ids.slice(0, 2).map((invitation_id) => ({ invitation_id, type: 'bounced', bounce_type: 'hard' }))
    expect((await system.api('POST', 'mail_events.json', events)).status).toBe(201)
    const pause_reason = 'Of 20 e-mails 2 came back for good, more than 5 %'
    expect(await scene.read(_id)).toMatchObject({ paused_at: expect.stringMatching(/Z$/), pause_reason })
    await scene.guest('later')
    await expect.poll(async () => (await scene.read(_id)).nb_recipients).toBe(21)
    expect(scene.receivers()).not.toContain('later')
    await scene.act(_id, 'resume')
    await expect.poll(async () => (await scene.read(_id)).nb_email_sent).toBe(21)
  })

  test('is tried again while the mail server does not take it; a refusal is counted', async () => {
    await scene.guest('later')
    await scene.guest('refused')
    const attempts = new Map<string, number>()
    server.plan((to) => {
      const count = (attempts.get(to) ?? 0) + 1
      attempts.set(to, count)
      if (to.startsWith('refused')) return 'refuse-recipient'
      return to.startsWith('later') && count === 1 ? 'postpone-recipient' : 'take'
    })
    const { _id } = await scene.sent({}, 1)
    await expect.poll(() => scene.read(_id)).toMatchObject({ rejected_recipients: 1, nb_email_sent: 1 })
    expect(scene.receivers()).toEqual(['later'])
  })

  test('one whose answer got lost is unknown, and is not sent again', async () => {
    await scene.guest('lost')
    await scene.guest('fine')
    let attempts = 0
    server.plan((to) => {
      if (!to.startsWith('lost')) return 'take'
      attempts++
      return 'drop-after'
    })
    const { _id } = await scene.sent({}, 1)
    await expect.poll(() => scene.read(_id)).toMatchObject({ unknown_recipients: 1, nb_email_sent: 1 })
    await scene.sent({ subject: 'Other', audience: { not_in_mailing_id: _id } }, 0)
    expect(attempts).toBe(1)
  })

  test('once told to send it cannot be deleted: 409; a guest who is deleted before gets nothing', async () => {
    const id = await scene.guest('gone')
    await scene.guest('here')
    const { _id } = await scene.make()
    await scene.act(_id, 'pause')
    await scene.act(_id, 'send')
    await expect.poll(async () => (await scene.read(_id)).nb_recipients).toBe(2)
    await scene.event.remove(`guests/${id}.json`)
    await scene.act(_id, 'resume')
    await expect.poll(async () => (await scene.read(_id)).nb_email_sent).toBe(1)
    expect(scene.receivers()).toEqual(['here'])
    // It went to all but one who is no guest any more: nothing is left.
    await expect.poll(async () => (await scene.read(_id)).is_sent).toBe(true)
    const { status, body } = await scene.event.api('DELETE', `mailings/${_id}.json`)
    expect([status, body]).toEqual([409, { error: 'The mailing was told to send' }])
  })

  test('an erasure leaves numbers: no address, and nothing for who has not got it yet', async () => {
    const id = await scene.guest('erased')
    await scene.guest('kept')
    const { _id } = await scene.sent({}, 2)
    const next = await scene.make({ subject: 'Next' })
    await scene.act(next._id, 'pause')
    await scene.act(next._id, 'send')
    await expect.poll(async () => (await scene.read(next._id)).nb_recipients).toBe(2)
    const erasure = await scene.event.make('erasures.json', { by: 'guest_id', value: id })
    expect(erasure.report).toContainEqual(
      expect.objectContaining({ data: 'partners.mailing_deliveries', outcome: 'blanked', count: 2 }),
    )
    expect(await storedText(inject('mongodbUrl'), system.namespace)).not.toContain(`erased@${scene.domain}`)
    await scene.act(next._id, 'resume')
    await expect.poll(() => scene.read(next._id)).toMatchObject({ nb_email_sent: 1, blacklisted_recipients: 1 })
    expect(await scene.read(_id)).toMatchObject({ nb_recipients: 2, nb_email_sent: 2 })
    expect(scene.receivers('Subject: Next')).toEqual(['kept'])
  })

  test('is sent, paused and resumed only by its own event and account', async () => {
    await scene.guest('quiet')
    const { _id } = await scene.make()
    const elsewhere = await TestEvent.open(system)
    const other = await system.account('other')
    for (const action of ['send', 'pause', 'resume']) {
      expect(await elsewhere.status('POST', `mailings/${_id}/${action}.json`)).toBe(404)
      const init = { token: other.auth_token }
      expect(await scene.event.status('POST', `mailings/${_id}/${action}.json`, undefined, init)).toBe(404)
    }
    expect(await scene.read(_id)).toMatchObject({ started_at: null, paused_at: null })
  })
})
