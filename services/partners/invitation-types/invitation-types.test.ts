import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const XML = { 'content-type': 'application/xml; charset=utf-8' }

describe('invitation types', () => {
  let system: System
  let event: string

  beforeAll(async () => {
    system = await startSystem({ with: ['partners'] })
  })
  afterAll(() => system?.stop())
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
