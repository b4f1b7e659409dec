// @module-tag slow
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

interface Shown {
  status: number
  text: string
}

/** An event with a category that has a registration page, and who opens that. */
class TestPage {
  readonly event: TestEvent
  readonly category: string

  private constructor(event: TestEvent, category: string) {
    this.event = event
    this.category = category
  }

  static async open(system: System, category: object = {}, event: object = {}): Promise<TestPage> {
    const testEvent = await TestEvent.open(system, { title: 'Open day', ...event })
    const settings = { name: 'Visitors', registration_enabled: true, registration_confirms_email: false }
    const { _id } = await testEvent.make('guest_categories.json', { ...settings, ...category })
    return new TestPage(testEvent, _id)
  }

  get link(): string {
    return `${this.event.system.url}/register/${this.event.id}/${this.category}`
  }

  show(): Promise<Shown> {
    return request(this.link)
  }

  register(fields: Record<string, string> = {}): Promise<Shown> {
    return request(this.link, { email: `${crypto.randomUUID()}@example.org`, ...fields })
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  guests(): Promise<any[]> {
    return this.event.read('guests.json?guest_metadata=true')
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  registrations(query = ''): Promise<any[]> {
    return this.event.read(`registrations.json${query}`)
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  state(): Promise<any> {
    return this.event.read(`guest_categories/${this.category}/registration_page.json`)
  }

  decide(id: string, registration_state: string): Promise<number> {
    return this.event.status('PUT', `registrations/${id}.json`, { registration_state })
  }
}

async function request(url: string, form?: Record<string, string>): Promise<Shown> {
  const init = form && { method: 'POST', body: new URLSearchParams(form) }
  const answer = await fetch(url, { ...init, headers: { 'accept-language': 'en' } })
  return { status: answer.status, text: await answer.text() }
}

// Takes half a minute: each rule is one of a whole system with e-mails.
describe('the registration page of a guest category', () => {
  let server: MailServer
  let system: System

  beforeAll(async () => {
    server = await startMailServer()
    const mail = { smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    system = await startSystem({ with: 'all', mail })
  })
  afterAll(async () => {
    await system?.stop()
    await server?.stop()
  })

  test('asks for names, e-mail address and the marked fields, and makes a guest of the category with source registration', async () => {
    const page = await TestPage.open(system, { registration_party_max: 4 })
    const { _id } = await page.event.make('guest_fields.json', {
      key: 'diet',
      label: 'Diet',
      use_in_registration: true,
      is_required: true,
    })
    const { status, text } = await page.show()
    expect(status).toBe(200)
    for (const name of ['first_name', 'last_name', 'email', 'party_size', `field_${_id}`])
      expect(text).toContain(`name="${name}"`)
    const given = { email: 'Ada@Example.org', first_name: 'Ada', party_size: '3', [`field_${_id}`]: 'vegan' }
    const registered = await page.register(given)
    expect([registered.status, registered.text]).toEqual([200, expect.stringContaining('You are registered.')])
    expect(registered.text).toContain('<img')
    expect(await page.guests()).toMatchObject([
      {
        first_name: 'Ada',
        email: 'Ada@Example.org',
        party_size: 3,
        guest_category_id: page.category,
        source: 'registration',
        status: 'registered',
        rsvp_status: 'accepted',
        guest_metadata: [{ name: 'diet', value: 'vegan' }],
      },
    ])
    expect(await page.state()).toMatchObject({ url: page.link, state: 'open', person_count: 3 })
  })

  test('says what is wrong beside each field, with all that was typed, and makes nobody a guest', async () => {
    const page = await TestPage.open(system, { registration_party_max: 2 })
    const { status, text } = await page.register({ email: 'ada', party_size: '3', first_name: 'Ada<b>' })
    expect(status).toBe(422)
    expect(text).toContain('Please enter a valid e-mail address')
    expect(text).toContain('Please enter a number from 1 to 2')
    expect(text).toContain('value="Ada&lt;b&gt;"')
    expect((await page.register({ email: '' })).text).toContain('Please fill in this field')
    expect(await page.guests()).toEqual([])
  })

  test('registers an address once, however often and however it is written', async () => {
    const page = await TestPage.open(system)
    const twice = await Promise.all(['ada@example.org', 'ADA@example.ORG'].map((email) => page.register({ email })))
    expect(twice.some(({ status }) => status === 200)).toBe(true)
    const again = await page.register({ email: 'ada@example.org' })
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('already registered')])
    expect(await page.guests()).toHaveLength(1)
  })

  test('is closed before it opens, after it closes, without registration_enabled and in an archived event, and says so', async () => {
    const cases: [object, string][] = [
      [{ registration_opens_at: '2100-05-01T10:00:00Z' }, 'Registration opens on 1\u00a0May\u00a02100'],
      [{ registration_closes_at: '2020-01-01T00:00:00Z' }, 'Registration is closed.'],
      [{ registration_enabled: false }, 'Registration is closed.'],
      [{ registration_limit: 0 }, 'All places are taken.'],
    ]
    for (const [category, sentence] of cases) {
      const page = await TestPage.open(system, category)
      const [seen, refused] = [await page.show(), await page.register()]
      expect([seen.status, refused.status]).toEqual([200, 409])
      expect(seen.text).toContain(sentence)
      expect(refused.text).toContain(sentence)
    }
    const page = await TestPage.open(system)
    await page.event.system.api('PUT', `events/${page.event.id}.json`, { archived: true })
    await expect.poll(async () => (await page.register()).status).toBe(409)
    expect((await page.show()).text).toContain('Registration is closed.')
    expect((await request(`${system.url}/register/${page.event.id}/${'0'.repeat(24)}`)).status).toBe(404)
  })

  test('never takes more persons than the limit, whoever registers, is rejected, cancels or is deleted at the same time in two processes', async () => {
    const page = await TestPage.open(system, { registration_limit: 10, registration_party_max: 3 })
    const replica = await startReplica('partners', system)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, number) => page.register({ party_size: `${1 + (number % 3)}` })),
    )
    await replica.stop()
    const persons = (await page.guests()).reduce((sum, { party_size }) => sum + party_size, 0)
    expect(persons).toBeLessThanOrEqual(10)
    expect((await page.state()).person_count).toBe(persons)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    while ((await page.register()).status === 200);
    expect(await page.state()).toMatchObject({ state: 'full', person_count: 10, registration_limit: 10 })
  })

  test('says how many places are left to a party that is too large', async () => {
    const page = await TestPage.open(system, { registration_limit: 3, registration_party_max: 3 })
    await page.register()
    const { status, text } = await page.register({ party_size: '3', first_name: 'Ada' })
    expect([status, text]).toEqual([409, expect.stringContaining('Places left: 2')])
    expect((await page.register({ party_size: '2' })).status).toBe(200)
  })

  test('gives the places of deleted guests back', async () => {
    const page = await TestPage.open(system, { registration_limit: 1 })
    await page.register({ email: 'ada@example.org' })
    expect((await page.register()).status).toBe(409)
    const [ada] = await page.guests()
    await page.event.remove(`guests/${ada._id}.json`)
    await expect.poll(async () => (await page.state()).person_count).toBe(0)
    expect((await page.register({ email: 'ada@example.org' })).status).toBe(200)
    expect(await page.guests()).toHaveLength(1)
  })

  test('where registrations are moderated, one waits for the organizer and holds its places; a rejection gives them back, and is taken back if there are any', async () => {
    const page = await TestPage.open(system, { registration_limit: 1, moderated_registrations_enabled: true })
    const { text } = await page.register({ email: 'ada@example.org', first_name: 'Ada' })
    expect(text).toContain('The organizer still has to approve your registration')
    expect(await page.guests()).toEqual([])
    expect((await page.register()).status).toBe(409)
    const [ada] = await page.registrations('?registration_state=pending')
    expect(ada).toMatchObject({ first_name: 'Ada', guest_category_id: page.category, partner_id: null, party_size: 1 })
    expect(await page.decide(ada._id, 'rejected')).toBe(204)
    expect((await page.register({ email: 'grace@example.org' })).status).toBe(200)
    expect([await page.decide(ada._id, 'approved'), await page.decide(ada._id, 'pending')]).toEqual([409, 409])
    const [grace] = await page.registrations('?registration_state=pending')
    expect([await page.decide(grace._id, 'rejected'), await page.decide(ada._id, 'approved')]).toEqual([204, 204])
    expect(await page.guests()).toMatchObject([{ first_name: 'Ada', source: 'registration' }])
  })

  describe('with registration_confirms_email', () => {
    const confirming = (category: object = {}) =>
      TestPage.open(system, { registration_confirms_email: true, ...category })

    /** The link in the last e-mail to an address. */
    async function linkTo(address: string): Promise<string> {
      let link: string | undefined
      await expect
        .poll(() => {
          const mail = server.mails.findLast(({ to }) => to.includes(address))
          link = mail && /https?:\S+\/rsvp\/[0-9a-f]{24}\/[\w-]{43}/.exec(mail.text.replaceAll(/=\r?\n/g, ''))?.[0]
          return link
        })
        .toBeDefined()
      return link ?? ''
    }

    test('counts a registration only once the link in the e-mail was opened and confirmed', async () => {
      const page = await confirming({ registration_limit: 1 })
      const email = `${crypto.randomUUID()}@example.org`
      const sent = await page.register({ email, first_name: 'Ada' })
      expect([sent.status, sent.text]).toEqual([
        200,
        expect.stringContaining(`Unless ${email} is already registered, an e-mail is on its way`),
      ])
      expect([await page.guests(), (await page.state()).person_count]).toEqual([[], 0])
      expect(await page.registrations()).toMatchObject([{ registration_state: 'unconfirmed' }])
      const link = await linkTo(email)
      // Mail scanners open links.
      expect((await request(link)).text).toContain('please complete your registration')
      expect(await page.guests()).toEqual([])
      const confirmed = await request(link, { answer: 'accepted' })
      expect([confirmed.status, confirmed.text]).toEqual([200, expect.stringContaining('You are registered.')])
      expect((await request(link, { answer: 'accepted' })).status).toBe(200)
      expect(await page.guests()).toMatchObject([{ first_name: 'Ada' }])
      expect(await page.state()).toMatchObject({ state: 'full', person_count: 1 })
    })

    test('says to show the QR code at the entrance, and where it is sent, or how to keep it if the category does not confirm by e-mail', async () => {
      for (const confirmation_email_enabled of [true, false]) {
        const page = await confirming({ confirmation_email_enabled })
        const email = `${crypto.randomUUID()}@example.org`
        await page.register({ email })
        const link = await linkTo(email)
        const { text } = await request(link, { answer: 'accepted' })
        expect(text).toContain('<p class="notice done" role="status">You are registered.</p>')
        expect(text).toContain('Please show this QR code at the entrance.')
        const mailed = /(You will also get it by e-mail at|We have also sent it to) [\w-]+@example\.org\./
        expect(mailed.test(text)).toBe(confirmation_email_enabled)
        expect(text.includes('Take a screenshot of this page')).toBe(!confirmation_email_enabled)
        if (!confirmation_email_enabled) continue
        await expect.poll(async () => (await request(link)).text).toContain(`We have also sent it to ${email}.`)
      }
    })

    test('says that all places are taken to who confirms too late, and nothing of who is registered to strangers', async () => {
      const page = await confirming({ registration_limit: 1 })
      const [early, late] = [`early-${crypto.randomUUID()}@example.org`, `late-${crypto.randomUUID()}@example.org`]
      for (const email of [early, late]) await page.register({ email })
      await request(await linkTo(early), { answer: 'accepted' })
      const refused = await request(await linkTo(late), { answer: 'accepted' })
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('All places are taken.')])
      await page.event.change(`guest_categories/${page.category}.json`, { registration_limit: 5 })
      expect((await page.register({ email: early })).text).toContain('an e-mail is on its way')
      expect(await page.guests()).toHaveLength(1)
    })

    test('is cancelled by the link, which gives the place back, and can be begun anew', async () => {
      const page = await confirming({ registration_limit: 1 })
      const email = `${crypto.randomUUID()}@example.org`
      await page.register({ email })
      const link = await linkTo(email)
      await request(link, { answer: 'accepted' })
      expect((await request(link, { answer: 'declined' })).text).toContain('Your registration is cancelled.')
      expect(await page.guests()).toMatchObject([{ rsvp_status: 'declined' }])
      expect((await page.state()).person_count).toBe(0)
      expect((await page.register({ email })).status).toBe(200)
      await request(link, { answer: 'accepted' })
      expect(await page.guests()).toMatchObject([{ rsvp_status: 'accepted' }])
    })
  })

  describe('sends the QR code again to who is registered', () => {
    const mailed = (address: string) => server.mails.filter(({ to }) => to.includes(address))
    const again = (page: TestPage, email: string) => request(page.link, { email, step: 'send_again' })

    test('by a button where it is said, once in ten minutes, as an e-mail of its own, and says the same of any address', async () => {
      const page = await TestPage.open(system, { confirmation_email_enabled: true, registration_limit: 1 })
      const [ada, nobody] = [`ada-${crypto.randomUUID()}@example.org`, `nobody-${crypto.randomUUID()}@example.org`]
      await page.register({ email: ada })
      await expect.poll(() => mailed(ada).length).toBe(1)
      await page.event.change(`guest_categories/${page.category}.json`, { registration_limit: 5 })
      const known = await page.register({ email: ada })
      expect([known.status, known.text]).toEqual([409, expect.stringContaining('value="send_again"')])
      await page.event.change(`guest_categories/${page.category}.json`, { registration_limit: 1 })
      const mongo = await MongoClient.connect(inject('mongodbUrl'))
      const stored = mongo.db(`${system.namespace}_partners`).collection('invitations')
      const isDone = () => stored.countDocuments({ address: ada, confirmed_at: { $exists: true } })
      await expect.poll(isDone).toBe(1)
      const early = await again(page, ada)
      expect(await stored.countDocuments({ address: ada, confirmation_due: { $exists: true } })).toBe(0)
      await stored.updateOne({ address: ada }, { $set: { confirmation_since: new Date(Date.now() - 660_000) } })
      const answers = await Promise.all([again(page, ada), again(page, ada.toUpperCase()), again(page, nobody)])
      await expect.poll(() => mailed(ada).length).toBe(2)
      await mongo.close()
      const said = [early, ...answers].map(({ status, text }) => [
        status,
        text.replaceAll(/(ada|nobody)-[^ ]*org/gi, 'WHO'),
      ])
      expect(new Set(said.map((each) => JSON.stringify(each))).size).toBe(1)
      expect(said[0]).toEqual([200, expect.stringContaining('an e-mail with the QR code is on its way')])
      const ids = mailed(ada).map(({ text }) => /^message-id: *(.*)$/im.exec(text)?.[1])
      expect(new Set(ids).size).toBe(2)
      expect(mailed(nobody)).toEqual([])
      expect((await again(page, 'nobody')).text).not.toContain('on its way')
    })

    test('also where addresses are confirmed; where no e-mail confirms it, the page says whom to ask', async () => {
      const given = { confirmation_email_enabled: true, registration_confirms_email: true }
      const confirming = await TestPage.open(system, given)
      expect((await confirming.register()).text).toContain('Already registered?')
      const silent = await TestPage.open(system, { confirmation_email_enabled: false })
      const email = `${crypto.randomUUID()}@example.org`
      expect((await silent.register({ email })).status).toBe(200)
      const { text } = await silent.register({ email })
      expect([text.includes('send_again'), text.includes('please contact the organizer')]).toEqual([false, true])
      const asked = await again(silent, email)
      expect([asked.status, asked.text.includes('on its way')]).toEqual([409, false])
      const confirmed = await TestPage.open(system, {
        confirmation_email_enabled: false,
        registration_confirms_email: true,
      })
      expect((await confirmed.register()).text).toMatch(/Already registered\?.*please contact the organizer/)
    })
  })

  test('is of no use to who sends very many: beyond the limit of an address it answers 429', async () => {
    const page = await TestPage.open(system)
    const replica = await startReplica('partners', system, { registrations_per_address: 0 })
    await expect.poll(async () => (await page.register()).status).toBe(429)
    await replica.stop()
  })

  test('leaves nothing of an erased guest but the place, which stays counted; the address can register again', async () => {
    const page = await TestPage.open(system, { registration_limit: 5 })
    await page.register({ email: 'ada@example.org', first_name: 'Ada' })
    await page.event.make('erasures.json', { by: 'email', value: 'ada@example.org' })
    await expect.poll(() => page.registrations()).toEqual([])
    expect((await page.state()).person_count).toBe(1)
    expect((await page.register({ email: 'ada@example.org' })).status).toBe(200)
  })
})
