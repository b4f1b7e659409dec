import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { type Collection, MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { StoredPartner } from './store.ts'

const system = await sharedSystem()

const XML = { 'content-type': 'application/xml; charset=utf-8' }
const TAKEN = ['has already been taken']

describe('partners', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  let stored: Collection<StoredPartner>
  let event: string

  beforeAll(async () => {
    stored = client.db(`${system.namespace}_partners`).collection('partners')
  })
  afterAll(async () => {
    await client.close()
  })
  beforeEach(async () => {
    event = (await made('events.json', { title: 'Fair', account_id: system.account_id }))._id
  })

  const path = (rest = '.json'): string => `events/${event}/partners${rest}`
  const made = async (to: string, fields: object): Promise<Answer['body']> => {
    const answer = await system.api('POST', to, fields)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const newPartner = (fields: object = {}): Promise<Answer['body']> => made(path(), { name: 'Acme', ...fields })

  test('creation under the root key partner answers 201 with the partner: no limit, no counts, no campaigns', async () => {
    const fields = { name: '  Acme & Söhne ', uid: 'acme-1' }
    const { status, body } = await system.api('POST', path(), { partner: fields })
    expect(status).toBe(201)
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Acme & Söhne',
      uid: 'acme-1',
      recipients_quota: -1,
      disable_emails: false,
      nb_email_sent: 0,
      nb_recipients: 0,
      nb_recipients_email_sent: 0,
      blacklisted_recipients: 0,
      bounced_recipients: 0,
      rejected_recipients: 0,
      spammed_recipients: 0,
      unsubscribed_recipients: 0,
      blacklisted_percentage: 0,
      bounced_percentage: 0,
      rejected_percentage: 0,
      spammed_percentage: 0,
      unsubscribed_percentage: 0,
      partner_campaigns: [],
      event_id: event,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    })
    expect((await system.api('GET', path(`/${body._id}.json`))).body).toEqual(body)
    expect((await system.api('GET', path())).body).toEqual([body])
  })

  test('XML: counters are integers, percentages floats, a campaign is a partner-campaign', async () => {
    const document = '<partner><name>Acme</name><recipients-quota>10</recipients-quota><uid nil="true"/></partner>'
    const answer = await system.api('POST', path('.xml'), document, { headers: XML })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.text).toContain('<partner><_id>')
    expect(answer.text).toContain('<recipients-quota type="integer">10</recipients-quota>')
    expect(answer.text).toContain('<disable-emails type="boolean">false</disable-emails>')
    expect(answer.text).toContain('<nb-recipients-email-sent type="integer">0</nb-recipients-email-sent>')
    expect(answer.text).toContain('<bounced-percentage type="float">0</bounced-percentage>')
    expect(answer.text).toContain('<partner-campaigns type="array"/>')
    const id = /<_id>(\w+)</.exec(answer.text)?.[1]
    const type = await made(`events/${event}/invitation_types.json`, { name: 'Evening' })
    await made(`events/${event}/invitation_types/${type._id}/partner_campaigns.json`, { partner_id: id, quota: 3 })
    const list = await system.api('GET', path('.xml'))
    expect(list.text).toMatch(/<partners type="array"><partner><_id>/)
    expect(list.text).toMatch(/<partner-campaigns type="array"><partner-campaign><_id>\w+<\/_id><partner-id>/)
  })

  test('the list is an empty array at first, in JSON and XML, and in the order of creation', async () => {
    expect((await system.api('GET', path())).body).toEqual([])
    expect((await system.api('GET', path('.xml'))).text).toContain('<partners type="array"/>')
    for (const name of ['Zeta', 'Alpha', 'Mu']) await newPartner({ name })
    const { body } = await system.api('GET', path())
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Zeta', 'Alpha', 'Mu'])
  })

  test('a name is needed, and a quota is -1 or more: 422', async () => {
    for (const name of ['', '  ', null]) {
      const { status, body } = await system.api('POST', path(), { name })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['name']])
    }
    const { status, body } = await system.api('POST', path(), { recipients_quota: -2 })
    expect(status).toBe(422)
    expect(body.errors).toEqual({ name: ["can't be blank"], recipients_quota: ['must be greater than or equal to -1'] })
    expect((await newPartner({ name: 'None', recipients_quota: 0 })).recipients_quota).toBe(0)
  })

  test('counters, percentages and campaigns are output only', async () => {
    const partner = await newPartner({ nb_email_sent: 7, bounced_percentage: 1, partner_campaigns: [{ quota: 3 }] })
    expect(partner).toMatchObject({ nb_email_sent: 0, bounced_percentage: 0, partner_campaigns: [] })
    const headers = { prefer: 'return=representation' }
    const changed = await system.api('PUT', path(`/${partner._id}.json`), { nb_recipients: 7 }, { headers })
    expect(changed.body.nb_recipients).toBe(0)
  })

  test('percentages are of the recipients e-mailed', async () => {
    const { _id } = await newPartner()
    const counted = { nb_recipients: 10, nb_recipients_email_sent: 8, bounced_recipients: 2, spammed_recipients: 9 }
    await stored.updateOne({ _id }, { $set: counted })
    const { body } = await system.api('GET', path(`/${_id}.json`))
    expect(body).toMatchObject({ ...counted, bounced_percentage: 0.25, rejected_percentage: 0, spammed_percentage: 1 })
  })

  describe('names and uids', () => {
    test('a name is unique in its event as it is written, without blanks around it; other events and cases are free', async () => {
      const { _id } = await newPartner({ name: 'Acme' })
      const again = await system.api('POST', path(), { name: ' Acme  ' })
      expect([again.status, again.body]).toEqual([422, { errors: { name: TAKEN } }])
      const document = await system.api('POST', path('.xml'), '<partner><name>Acme</name></partner>', { headers: XML })
      expect(document.status).toBe(422)
      expect(document.text).toContain('<errors><error>Name has already been taken</error></errors>')
      const other = await newPartner({ name: 'ACME' })
      const renamed = await system.api('PUT', path(`/${other._id}.json`), { name: 'Acme' })
      expect([renamed.status, renamed.body]).toEqual([422, { errors: { name: TAKEN } }])
      expect((await system.api('PUT', path(`/${_id}.json`), { name: 'Acme ' })).status).toBe(204)
      const elsewhere = await made('events.json', { title: 'Other', account_id: system.account_id })
      await made(`events/${elsewhere._id}/partners.json`, { name: 'Acme' })
    })

    test('of 20 parallel creations with the same name or uid exactly one is made', async () => {
      for (const field of ['name', 'uid']) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            system.api('POST', path(), { name: `Racer ${field} ${index}`, [field]: 'The one' }),
          ),
        )
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
        const refused = answers.filter(({ status }) => status !== 201)
        for (const { status, body } of refused) expect([status, body]).toEqual([422, { errors: { [field]: TAKEN } }])
      }
    })

    test('a uid stands for the _id in every path: read, update, delete, tokens; and as partner_id of a campaign', async () => {
      const { _id } = await newPartner({ uid: 'ac/me 1?' })
      const byUid = `/${encodeURIComponent('ac/me 1?')}`
      expect((await system.api('GET', path(`${byUid}.json`))).body._id).toBe(_id)
      expect((await system.api('GET', path(`${byUid}.xml`))).text).toContain(`<_id>${_id}</_id>`)
      expect((await system.api('PUT', path(`${byUid}.json`), { disable_emails: true })).status).toBe(204)
      expect((await system.api('GET', path(`/${_id}.json`))).body.disable_emails).toBe(true)
      const type = await made(`events/${event}/invitation_types.json`, { name: 'Evening' })
      const campaigns = `events/${event}/invitation_types/${type._id}/partner_campaigns.json`
      const campaign = await made(campaigns, { partner_id: 'ac/me 1?', quota: 3 })
      expect(campaign.partner_id).toBe(_id)
      const token = await made(path(`${byUid}/partner_campaigns/${campaign._id}/partner_access_tokens.json`), {})
      expect(token.partner_id).toBe(_id)
      expect((await system.api('DELETE', path(`${byUid}.json`))).status).toBe(200)
      expect((await system.api('GET', path(`/${_id}.json`))).status).toBe(404)
    })

    test('no uid is the _id or the uid of another partner of the event, so no path ever means two', async () => {
      const first = await newPartner({ name: 'First', uid: 'one' })
      const second = await newPartner({ name: 'Second' })
      for (const uid of [first._id, 'one']) {
        const created = await system.api('POST', path(), { name: 'Third', uid })
        expect([created.status, created.body]).toEqual([422, { errors: { uid: TAKEN } }])
        const changed = await system.api('PUT', path(`/${second._id}.json`), { uid })
        expect([changed.status, changed.body]).toEqual([422, { errors: { uid: TAKEN } }])
      }
      expect((await system.api('GET', path(`/${first._id}.json`))).body.name).toBe('First')
      // Its own _id is no other partner's, nor are those of other events.
      expect((await system.api('PUT', path(`/${first._id}.json`), { uid: first._id })).status).toBe(204)
      const elsewhere = await made('events.json', { title: 'Other', account_id: system.account_id })
      await made(`events/${elsewhere._id}/partners.json`, { name: 'Abroad', uid: first._id })
      expect((await system.api('GET', `events/${elsewhere._id}/partners/${first._id}.json`)).body.name).toBe('Abroad')
    })

    test('a uid that was changed, removed or deleted with its partner is unknown, and free again', async () => {
      const { _id } = await newPartner({ uid: 'old' })
      await system.api('PUT', path('/old.json'), { uid: 'new' })
      expect((await system.api('GET', path('/old.json'))).status).toBe(404)
      await newPartner({ name: 'Second', uid: 'old' })
      expect((await system.api('PUT', path('/new.json'), { uid: ' ' })).status).toBe(204)
      expect((await system.api('GET', path(`/${_id}.json`))).body.uid).toBeNull()
      await system.api('DELETE', path('/old.json'))
      expect((await newPartner({ name: 'Second', uid: 'old' })).uid).toBe('old')
    })

    test('any number of partners have no uid', async () => {
      for (const uid of [null, '', undefined]) await newPartner({ name: `No uid ${uid}`, uid })
      expect((await system.api('GET', path())).body).toHaveLength(3)
    })
  })

  test('update answers 204 and changes the given fields only; with Prefer it shows the partner', async () => {
    const partner = await newPartner({ uid: 'acme' })
    const answer = await system.api('PUT', path(`/${partner._id}.json`), { partner: { recipients_quota: '50' } })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const { body } = await system.api('GET', path(`/${partner._id}.json`))
    expect(body).toEqual({ ...partner, recipients_quota: 50, updated_at: body.updated_at })
    const document = '<partner><name>New name</name></partner>'
    expect((await system.api('PUT', path('/acme.xml'), document, { headers: XML })).status).toBe(204)
    const headers = { prefer: 'return=representation' }
    const shown = await system.api('PUT', path('/acme.json'), { disable_emails: true }, { headers })
    expect([shown.status, shown.body.name, shown.body.recipients_quota]).toEqual([200, 'New name', 50])
  })

  test('deletion answers 200 with nothing, in JSON and XML; with Prefer 200 with the partner', async () => {
    for (const suffix of ['.json', '.xml']) {
      const { _id } = await newPartner()
      const answer = await system.api('DELETE', path(`/${_id}${suffix}`))
      expect([answer.status, answer.text]).toEqual([200, ''])
      expect((await system.api('DELETE', path(`/${_id}${suffix}`))).status).toBe(404)
    }
    const partner = await newPartner()
    const headers = { prefer: 'return=representation' }
    const shown = await system.api('DELETE', path(`/${partner._id}.json`), undefined, { headers })
    expect([shown.status, shown.body]).toEqual([200, partner])
  })

  test("an unknown partner, and another event's, are 404", async () => {
    const { _id } = await newPartner({ uid: 'acme' })
    const other = await made('events.json', { title: 'Other', account_id: system.account_id })
    for (const to of [path('/unknown.json'), ...[_id, 'acme'].map((id) => `events/${other._id}/partners/${id}.json`)]) {
      expect((await system.api('GET', to)).status).toBe(404)
      expect((await system.api('PUT', to, { name: 'x' })).status).toBe(404)
      expect((await system.api('DELETE', to)).status).toBe(404)
    }
    expect((await system.api('GET', path('/acme.json'))).body.name).toBe('Acme')
  })

  test('a creation sent again with its Idempotency-Key makes one partner, and answers the same', async () => {
    const headers = { 'idempotency-key': `partner-${event}` }
    const first = await system.api('POST', path(), { name: 'Once' }, { headers })
    const again = await system.api('POST', path(), { name: 'Once' }, { headers })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await system.api('GET', path())).body).toHaveLength(1)
  })
})
