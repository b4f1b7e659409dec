import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const XML = { 'content-type': 'application/xml; charset=utf-8' }

describe('invitation types', () => {
  let event: string

  beforeEach(async () => {
    event = (await made('events.json', { title: 'Fair', account_id: system.account_id }))._id
  })

  const made = async (to: string, fields: object): Promise<Answer['body']> => {
    const answer = await system.api('POST', to, fields)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const path = (rest = '.json'): string => `events/${event}/invitation_types${rest}`

  test('creation answers 201 with the type; it is read, renamed and listed in the order of creation', async () => {
    const { status, body } = await system.api('POST', path(), { invitation_type: { name: 'Evening' } })
    expect(status).toBe(201)
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Evening',
      guest_category_id: null,
      subject: null,
      message: null,
      sender_name: null,
      event_id: event,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    })
    expect((await system.api('GET', path(`/${body._id}.json`))).body).toEqual(body)
    const second = await made(path(), { name: 'A tour' })
    expect((await system.api('PUT', path(`/${body._id}.json`), { name: 'Late evening' })).status).toBe(204)
    const { body: list } = await system.api('GET', path())
    expect(list.map(({ name }: { name: string }) => name)).toEqual(['Late evening', second.name])
  })

  test('XML: the list is invitation-types of invitation-type, empty at first', async () => {
    expect((await system.api('GET', path('.xml'))).text).toContain('<invitation-types type="array"/>')
    const document = '<invitation-type><name>Evening</name></invitation-type>'
    const answer = await system.api('POST', path('.xml'), document, { headers: XML })
    expect([answer.status, answer.text.includes('<invitation-type><_id>')]).toEqual([201, true])
    const list = await system.api('GET', path('.xml'))
    expect(list.text).toMatch(/<invitation-types type="array"><invitation-type><_id>\w+<\/_id><name>Evening/)
  })

  test('it says what its e-mails say and what an accepted invitation becomes; without a field they are null', async () => {
    const category = await made(`events/${event}/guest_categories.json`, { name: 'VIP' })
    const fields = {
      name: 'Evening',
      guest_category_id: category._id,
      subject: 'Dear {{ first_name }}',
      message: '{{last_name}}, {{partner_name}} invites you to {{event_title}}: {{link}}\n{{email}} {not one}',
      sender_name: 'Royal Society',
    }
    const type = await made(path(), fields)
    expect(type).toMatchObject(fields)
    expect((await system.api('PUT', path(`/${type._id}.json`), { subject: null })).status).toBe(204)
    expect((await system.api('GET', path(`/${type._id}.json`))).body).toMatchObject({ ...fields, subject: null })
  })

  test('an unknown placeholder and a category of another event are 422, each naming its field', async () => {
    const other = await made('events.json', { title: 'Other', account_id: system.account_id })
    const category = await made(`events/${other._id}/guest_categories.json`, { name: 'VIP' })
    const wrong = {
      guest_category_id: category._id,
      subject: '{{first_name}} {{password}}',
      message: '{{link}} {{__proto__}}',
    }
    const errors = {
      guest_category_id: ['is not a guest category of the event'],
      subject: ['has an unknown placeholder: {{password}}'],
      message: ['has an unknown placeholder: {{__proto__}}'],
    }
    const creation = await system.api('POST', path(), wrong)
    expect([creation.status, creation.body]).toEqual([422, { errors: { name: ["can't be blank"], ...errors } }])
    const { _id } = await made(path(), { name: 'Evening' })
    const change = await system.api('PUT', path(`/${_id}.json`), wrong)
    expect([change.status, change.body]).toEqual([422, { errors }])
    expect((await system.api('GET', path(`/${_id}.json`))).body).toMatchObject({ subject: null, message: null })
  })

  test('a link to anything but the invitation is 422', async () => {
    const ok = { name: 'Evening', message: '[Answer]({{link}})' }
    expect(await made(path(), ok)).toMatchObject(ok)
    const { status, body } = await system.api('POST', path(), { name: 'x', message: '[Answer](https://example.org)' })
    const message = ['has a link other than {{link}}: https://example.org']
    expect([status, body]).toEqual([422, { errors: { message } }])
  })

  test('a type that is not stored can be looked at, with what is typed so far; without a text in the language that is asked for', async () => {
    const look = (body: object) => system.api('POST', path('/preview.json'), body)
    const typed = await look({ subject: 'Come, {{first_name}}', message: '**Welcome**' })
    expect(typed.body).toMatchObject({ subject: 'Come, Ada', text: expect.stringMatching(/^Welcome\n\nhttp/) })
    expect((await look({ locale: 'de' })).body.text).toContain('Bitte antworten Sie hier')
    const { status, body } = await look({ subject: '{{uid}}', message: '[x](http://evil.example)' })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['subject', 'message']])
  })

  test('a preview has example values, and the link of nobody', async () => {
    const fields = { name: 'Evening', subject: 'For {{first_name}}', message: 'Dear {{last_name}}: {{link}}' }
    const { _id } = await made(path(), fields)
    const { status, body } = await system.api('GET', path(`/${_id}/preview.json`))
    expect([status, body.subject]).toEqual([200, 'For Ada'])
    expect(body.text).toMatch(/^Dear Lovelace: http\S+\/rsvp\//)
    expect(body.html).toContain('Dear Lovelace: <a href="http')
    expect((await system.api('GET', path(`/${'f'.repeat(24)}/preview.json`))).status).toBe(404)
  })

  test('a name is needed: 422', async () => {
    const { status, body } = await system.api('POST', path(), {})
    expect([status, body]).toEqual([422, { errors: { name: ["can't be blank"] } }])
  })

  test('one without campaigns is deleted with 204; one with campaigns is not: 409, in JSON and XML', async () => {
    const { _id } = await made(path(), { name: 'Evening' })
    const partner = await made(`events/${event}/partners.json`, { name: 'Acme' })
    const campaigns = path(`/${_id}/partner_campaigns`)
    const campaign = await made(`${campaigns}.json`, { partner_id: partner._id, quota: 1 })
    const answer = await system.api('DELETE', path(`/${_id}.json`))
    expect([answer.status, answer.body]).toEqual([409, { error: 'The invitation type has partner campaigns' }])
    const document = await system.api('DELETE', path(`/${_id}.xml`))
    expect(document.status).toBe(409)
    expect(document.text).toContain('<errors><error>The invitation type has partner campaigns</error></errors>')
    expect((await system.api('DELETE', `${campaigns}/${campaign._id}.json`)).status).toBe(200)
    const deletion = await system.api('DELETE', path(`/${_id}.json`))
    expect([deletion.status, deletion.text]).toEqual([204, ''])
    expect((await system.api('DELETE', path(`/${_id}.json`))).status).toBe(404)
    expect((await system.api('GET', `${campaigns}.json`)).status).toBe(404)
  })

  test('an interrupted deletion blocks neither a campaign nor the next deletion', async () => {
    const { _id } = await made(path(), { name: 'Evening' })
    const partner = await made(`events/${event}/partners.json`, { name: 'Acme' })
    const campaigns = path(`/${_id}/partner_campaigns.json`)
    const campaign = await made(campaigns, { partner_id: partner._id, quota: 1 })
    expect((await system.api('DELETE', path(`/${_id}.json`))).status).toBe(409)
    expect((await system.api('GET', campaigns)).body).toEqual([campaign])
    expect((await system.api('DELETE', `events/${event}/partners/${partner._id}.json`)).status).toBe(200)
    expect((await system.api('DELETE', path(`/${_id}.json`))).status).toBe(204)
  })

  test("an unknown id, and another event's type, are 404", async () => {
    const { _id } = await made(path(), { name: 'Evening' })
    const other = await made('events.json', { title: 'Other', account_id: system.account_id })
    for (const to of [path('/unknown.json'), `events/${other._id}/invitation_types/${_id}.json`]) {
      expect((await system.api('GET', to)).status).toBe(404)
      expect((await system.api('PUT', to, { name: 'x' })).status).toBe(404)
      expect((await system.api('DELETE', to)).status).toBe(404)
    }
  })
})
