import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { type Collection, MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { StoredPartner } from './store.ts'

const system = await sharedSystem()

const TAKEN = ['has already been taken']

describe('partners', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  let stored: Collection<StoredPartner>
  let testEvent: TestEvent

  beforeAll(async () => {
    stored = client.db(`${system.namespace}_partners`).collection('partners')
  })
  afterAll(async () => {
    await client.close()
  })
  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
  })

  const path = (rest = '.json'): string => `partners${rest}`
  const newPartner = (fields: object = {}): Promise<Answer['body']> =>
    testEvent.make(path(), { name: 'Acme', ...fields })

  test('creation under the root key partner answers 201 with the partner: no limit, no counts, no campaigns', async () => {
    const fields = { name: '  Acme & Söhne ', uid: 'acme-1' }
    const { status, body } = await testEvent.api('POST', path(), { partner: fields })
    expect(status).toBe(201)
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Acme & Söhne',
      uid: 'acme-1',
      recipients_quota: -1,
      disable_emails: false,
      email: null,
      locale: null,
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
      event_id: testEvent.id,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    })
    expect(await testEvent.read(path(`/${body._id}.json`))).toEqual(body)
    expect(await testEvent.read(path())).toEqual([body])
  })

  test('XML: counters are integers, percentages floats, a campaign is a partner-campaign', async () => {
    const document = '<partner><name>Acme</name><recipients-quota>10</recipients-quota><uid nil="true"/></partner>'
    const answer = await testEvent.xml('POST', path('.xml'), document)
    expect(answer.status, answer.text).toBe(201)
    expect(answer.text).toContain('<partner><_id>')
    expect(answer.text).toContain('<recipients-quota type="integer">10</recipients-quota>')
    expect(answer.text).toContain('<disable-emails type="boolean">false</disable-emails>')
    expect(answer.text).toContain('<nb-recipients-email-sent type="integer">0</nb-recipients-email-sent>')
    expect(answer.text).toContain('<bounced-percentage type="float">0</bounced-percentage>')
    expect(answer.text).toContain('<partner-campaigns type="array"/>')
    const id = /<_id>(\w+)</.exec(answer.text)?.[1]
    const type = await testEvent.make('invitation_types.json', { name: 'Evening' })
    await testEvent.make(`invitation_types/${type._id}/partner_campaigns.json`, { partner_id: id, quota: 3 })
    const list = await testEvent.api('GET', path('.xml'))
    expect(list.text).toMatch(/<partners type="array"><partner><_id>/)
    expect(list.text).toMatch(/<partner-campaigns type="array"><partner-campaign><_id>\w+<\/_id><partner-id>/)
  })

  test('the list is an empty array at first, in JSON and XML, and in the order of creation', async () => {
    expect(await testEvent.read(path())).toEqual([])
    expect((await testEvent.api('GET', path('.xml'))).text).toContain('<partners type="array"/>')
    for (const name of ['Zeta', 'Alpha', 'Mu']) await newPartner({ name })
    const { body } = await testEvent.api('GET', path())
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Zeta', 'Alpha', 'Mu'])
  })

  test('a name is needed, and a quota is -1 or more: 422', async () => {
    for (const name of ['', '  ', null]) {
      const { status, body } = await testEvent.api('POST', path(), { name })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['name']])
    }
    const { status, body } = await testEvent.api('POST', path(), { recipients_quota: -2 })
    expect(status).toBe(422)
    expect(body.errors).toEqual({ name: ["can't be blank"], recipients_quota: ['must be greater than or equal to -1'] })
    expect((await newPartner({ name: 'None', recipients_quota: 0 })).recipients_quota).toBe(0)
  })

  test('an e-mail address is a valid one or none, and a blank language is none', async () => {
    expect(await testEvent.refused(path(), { name: 'Acme', email: 'nobody' })).toEqual({ email: ['is not valid'] })
    const partner = await newPartner({ email: 'Ada@example.org', locale: 'fr' })
    expect(partner).toMatchObject({ email: 'Ada@example.org', locale: 'fr' })
    await testEvent.change(path(`/${partner._id}.json`), { email: '', locale: ' ' })
    expect(await testEvent.read(path(`/${partner._id}.json`))).toMatchObject({ email: null, locale: null })
  })

  test('counters, percentages and campaigns are output only', async () => {
    const partner = await newPartner({ nb_email_sent: 7, bounced_percentage: 1, partner_campaigns: [{ quota: 3 }] })
    expect(partner).toMatchObject({ nb_email_sent: 0, bounced_percentage: 0, partner_campaigns: [] })
    const headers = { prefer: 'return=representation' }
    const changed = await testEvent.api('PUT', path(`/${partner._id}.json`), { nb_recipients: 7 }, { headers })
    expect(changed.body.nb_recipients).toBe(0)
  })

  test('percentages are of the recipients e-mailed', async () => {
    const { _id } = await newPartner()
    const counted = { nb_recipients: 10, nb_recipients_email_sent: 8, bounced_recipients: 2, spammed_recipients: 9 }
    await stored.updateOne({ _id }, { $set: counted })
    const { body } = await testEvent.api('GET', path(`/${_id}.json`))
    expect(body).toMatchObject({ ...counted, bounced_percentage: 0.25, rejected_percentage: 0, spammed_percentage: 1 })
  })

  describe('names and uids', () => {
    test('a name is unique in its event as it is written, without blanks around it; other events and cases are free', async () => {
      const { _id } = await newPartner({ name: 'Acme' })
      const again = await testEvent.api('POST', path(), { name: ' Acme  ' })
      expect([again.status, again.body]).toEqual([422, { errors: { name: TAKEN } }])
      const document = await testEvent.xml('POST', path('.xml'), '<partner><name>Acme</name></partner>')
      expect(document.status).toBe(422)
      expect(document.text).toContain('<errors><error>Name has already been taken</error></errors>')
      const other = await newPartner({ name: 'ACME' })
      const renamed = await testEvent.api('PUT', path(`/${other._id}.json`), { name: 'Acme' })
      expect([renamed.status, renamed.body]).toEqual([422, { errors: { name: TAKEN } }])
      expect((await testEvent.api('PUT', path(`/${_id}.json`), { name: 'Acme ' })).status).toBe(204)
      const elsewhere = await TestEvent.open(system)
      await elsewhere.make('partners.json', { name: 'Acme' })
    })

    test('of 20 parallel creations with the same name or uid exactly one is made', async () => {
      for (const field of ['name', 'uid']) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            testEvent.api('POST', path(), { name: `Racer ${field} ${index}`, [field]: 'The one' }),
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
      expect((await testEvent.read(path(`${byUid}.json`)))._id).toBe(_id)
      expect((await testEvent.api('GET', path(`${byUid}.xml`))).text).toContain(`<_id>${_id}</_id>`)
      expect((await testEvent.api('PUT', path(`${byUid}.json`), { disable_emails: true })).status).toBe(204)
      expect((await testEvent.read(path(`/${_id}.json`))).disable_emails).toBe(true)
      const type = await testEvent.make('invitation_types.json', { name: 'Evening' })
      const campaigns = `invitation_types/${type._id}/partner_campaigns.json`
      const campaign = await testEvent.make(campaigns, { partner_id: 'ac/me 1?', quota: 3 })
      expect(campaign.partner_id).toBe(_id)
      const token = await testEvent.make(
        path(`${byUid}/partner_campaigns/${campaign._id}/partner_access_tokens.json`),
        {},
      )
      expect(token.partner_id).toBe(_id)
      expect((await testEvent.api('DELETE', path(`${byUid}.json`))).status).toBe(200)
      expect((await testEvent.api('GET', path(`/${_id}.json`))).status).toBe(404)
    })

    test('no uid is the _id or the uid of another partner of the event, so no path ever means two', async () => {
      const first = await newPartner({ name: 'First', uid: 'one' })
      const second = await newPartner({ name: 'Second' })
      for (const uid of [first._id, 'one']) {
        const created = await testEvent.api('POST', path(), { name: 'Third', uid })
        expect([created.status, created.body]).toEqual([422, { errors: { uid: TAKEN } }])
        const changed = await testEvent.api('PUT', path(`/${second._id}.json`), { uid })
        expect([changed.status, changed.body]).toEqual([422, { errors: { uid: TAKEN } }])
      }
      expect((await testEvent.read(path(`/${first._id}.json`))).name).toBe('First')
      // Its own _id is no other partner's, nor are those of other events.
      expect((await testEvent.api('PUT', path(`/${first._id}.json`), { uid: first._id })).status).toBe(204)
      const elsewhere = await TestEvent.open(system)
      await elsewhere.make('partners.json', { name: 'Abroad', uid: first._id })
      expect((await elsewhere.read(`partners/${first._id}.json`)).name).toBe('Abroad')
    })

    test('a uid that was changed, removed or deleted with its partner is unknown, and free again', async () => {
      const { _id } = await newPartner({ uid: 'old' })
      await testEvent.api('PUT', path('/old.json'), { uid: 'new' })
      expect((await testEvent.api('GET', path('/old.json'))).status).toBe(404)
      await newPartner({ name: 'Second', uid: 'old' })
      expect((await testEvent.api('PUT', path('/new.json'), { uid: ' ' })).status).toBe(204)
      expect((await testEvent.read(path(`/${_id}.json`))).uid).toBeNull()
      await testEvent.api('DELETE', path('/old.json'))
      expect((await newPartner({ name: 'Second', uid: 'old' })).uid).toBe('old')
    })

    test('any number of partners have no uid', async () => {
      for (const uid of [null, '', undefined]) await newPartner({ name: `No uid ${uid}`, uid })
      expect(await testEvent.read(path())).toHaveLength(3)
    })
  })

  test('update answers 204 and changes the given fields only; with Prefer it shows the partner', async () => {
    const partner = await newPartner({ uid: 'acme' })
    const answer = await testEvent.api('PUT', path(`/${partner._id}.json`), { partner: { recipients_quota: '50' } })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const { body } = await testEvent.api('GET', path(`/${partner._id}.json`))
    expect(body).toEqual({ ...partner, recipients_quota: 50, updated_at: body.updated_at })
    const document = '<partner><name>New name</name></partner>'
    expect((await testEvent.xml('PUT', path('/acme.xml'), document)).status).toBe(204)
    const headers = { prefer: 'return=representation' }
    const shown = await testEvent.api('PUT', path('/acme.json'), { disable_emails: true }, { headers })
    expect([shown.status, shown.body.name, shown.body.recipients_quota]).toEqual([200, 'New name', 50])
  })

  test('deletion answers 200 with nothing, in JSON and XML; with Prefer 200 with the partner', async () => {
    for (const suffix of ['.json', '.xml']) {
      const { _id } = await newPartner()
      const answer = await testEvent.api('DELETE', path(`/${_id}${suffix}`))
      expect([answer.status, answer.text]).toEqual([200, ''])
      expect((await testEvent.api('DELETE', path(`/${_id}${suffix}`))).status).toBe(404)
    }
    const partner = await newPartner()
    const headers = { prefer: 'return=representation' }
    const shown = await testEvent.api('DELETE', path(`/${partner._id}.json`), undefined, { headers })
    expect([shown.status, shown.body]).toEqual([200, partner])
  })

  test("an unknown partner, and another event's, are 404", async () => {
    const { _id } = await newPartner({ uid: 'acme' })
    const other = await TestEvent.open(system)
    for (const [event, id] of [
      [testEvent, 'unknown'],
      [other, _id],
      [other, 'acme'],
    ] as const) {
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect(
          (await event.api(method, path(`/${id}.json`), method === 'PUT' ? { name: 'x' } : undefined)).status,
        ).toBe(404)
    }
    expect((await testEvent.read(path('/acme.json'))).name).toBe('Acme')
  })

  test('a creation sent again with its Idempotency-Key makes one partner, and answers the same', async () => {
    const headers = { 'idempotency-key': `partner-${testEvent.id}` }
    const first = await testEvent.api('POST', path(), { name: 'Once' }, { headers })
    const again = await testEvent.api('POST', path(), { name: 'Once' }, { headers })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await testEvent.read(path())).toHaveLength(1)
  })
})
