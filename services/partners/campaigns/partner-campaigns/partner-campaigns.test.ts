import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds, slow } from '@gatehouse/test/rounds.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const TAKEN = { errors: { partner_id: ['has already been taken'] } }
const NO_PARTNER = { errors: { partner_id: ['is not a partner of the event'] } }

describe('partner campaigns', () => {
  let testEvent: TestEvent
  let type: string

  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
    type = await newType()
  })

  const newType = async (name = 'Evening'): Promise<string> =>
    (await testEvent.make('invitation_types.json', { name }))._id
  const newPartner = async (name: string): Promise<string> => (await testEvent.make('partners.json', { name }))._id
  const path = (rest = '.json', of = type): string => `invitation_types/${of}/partner_campaigns${rest}`
  const create = (body: object, init: Parameters<TestEvent['api']>[3] = {}): Promise<Answer> =>
    testEvent.api('POST', path(), body, init)
  const remove = (id: string, init: Parameters<TestEvent['api']>[3] = {}): Promise<Answer> =>
    testEvent.api('DELETE', path(`/${id}.json`), undefined, init)
  const removePartner = (id: string): Promise<Answer> => testEvent.api('DELETE', `partners/${id}.json`)
  const listed = (): Promise<Answer['body']> => testEvent.read(path())
  const newCampaign = async (name: string, fields: object = {}): Promise<Answer['body']> =>
    testEvent.make(path(), { partner_id: await newPartner(name), quota: 10, ...fields })
  const partnersListed = async (query = ''): Promise<string[]> => {
    const [list, partners] = await Promise.all([testEvent.read(`${path()}${query}`), testEvent.read('partners.json')])
    const names = new Map(partners.map(({ _id, name }: Answer['body']) => [_id, name]))
    return list.map(({ partner_id }: { partner_id: string }) => names.get(partner_id))
  }

  test('creation under the root key partner_campaign answers 201 with every field; its partner shows it too', async () => {
    await system.api('PUT', `events/${testEvent.id}.json`, { reply_to_email: 'fair@example.org' })
    const partner_id = await newPartner('Acme')
    const { status, body } = await create({ partner_campaign: { partner_id, quota: '25' } })
    expect(status).toBe(201)
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      partner_id,
      quota: 25,
      platform_promo_code_amount: null,
      platform_promo_code_percentage_of_total: null,
      platform_promo_code_text: null,
      platform_promo_code_max_usage: null,
      platform_promo_code_id: null,
      invitation_type_id: type,
      from_mailer: null,
      metadata: {},
      nb_email_sent: 0,
      paused_at: null,
      pause_reason: null,
      reply_to: 'fair@example.org',
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    })
    expect(await listed()).toEqual([body])
    expect(await testEvent.read(path(`/${body._id}.json`))).toEqual(body)
    expect((await testEvent.read(`partners/${partner_id}.json`)).partner_campaigns).toEqual([body])
    expect((await testEvent.read('partners.json'))[0].partner_campaigns).toEqual([body])
  })

  test('in XML a campaign is a partner-campaign, in a list and alone', async () => {
    const document = `<partner-campaign><partner-id>${await newPartner('Acme')}</partner-id><quota type="integer">5</quota></partner-campaign>`
    const answer = await testEvent.xml('POST', path('.xml'), document)
    expect(answer.status, answer.text).toBe(201)
    for (const part of [
      '<partner-campaign><_id>',
      '<quota type="integer">5</quota>',
      '<from-mailer nil="true"/>',
      '<metadata/>',
      '<platform-promo-code-id nil="true"/>',
      '<nb-email-sent type="integer">0</nb-email-sent>',
    ]) {
      expect(answer.text).toContain(part)
    }
    expect((await testEvent.api('GET', path('.xml'))).text).toContain(
      '<partner-campaigns type="array"><partner-campaign><_id>',
    )
  })

  test('partner_id of a partner of the event and a quota of 0 or more are needed: 422', async () => {
    const { status, body } = await create({})
    expect([status, body]).toEqual([422, { errors: { partner_id: ["can't be blank"], quota: ["can't be blank"] } }])
    const partner_id = await newPartner('Acme')
    const negative = await create({ partner_id, quota: -1 })
    expect([negative.status, Object.keys(negative.body.errors)]).toEqual([422, ['quota']])
    const stranger = await newPartner('Stranger')
    const home = testEvent
    testEvent = await TestEvent.open(system)
    type = await newType()
    for (const id of [stranger, 'unknown']) {
      const answer = await create({ partner_id: id, quota: 1 })
      expect([answer.status, answer.body]).toEqual([422, NO_PARTNER])
    }
    testEvent = home
    type = await newType()
    expect((await testEvent.make(path(), { partner_id, quota: 0 })).quota).toBe(0)
  })

  test("an unknown invitation type, and another event's, are 404", async () => {
    const partner_id = await newPartner('Acme')
    const other = type
    const { _id } = await testEvent.make(path(), { partner_id, quota: 1 })
    const home = testEvent
    testEvent = await TestEvent.open(system)
    for (const id of [other, 'unknown']) {
      expect((await testEvent.api('GET', path('.json', id))).status).toBe(404)
      expect((await testEvent.api('POST', path('.json', id), { partner_id, quota: 1 })).status).toBe(404)
      expect((await testEvent.api('GET', path(`/${_id}.json`, id))).status).toBe(404)
      expect((await testEvent.api('DELETE', path(`/${_id}.json`, id))).status).toBe(404)
    }
    testEvent = home
    expect((await testEvent.api('GET', path(`/${_id}.json`, await newType()))).status).toBe(404)
    expect((await testEvent.api('DELETE', path(`/${_id}.json`, await newType()))).status).toBe(404)
    expect(await listed()).toHaveLength(1)
  })

  describe('a partner is unique in its invitation type', () => {
    test('a second campaign is 422 on partner_id, whatever the partner is called; other types are free', async () => {
      const { _id, uid } = await testEvent.make('partners.json', { name: 'Acme', uid: 'acme' })
      await testEvent.make(path(), { partner_id: _id, quota: 1 })
      for (const partner_id of [_id, uid]) {
        const again = await create({ partner_id, quota: 1 })
        expect([again.status, again.body]).toEqual([422, TAKEN])
      }
      type = await newType('Tour')
      await testEvent.make(path(), { partner_id: _id, quota: 1 })
    })

    test('its place is free again when the campaign is deleted', async () => {
      const { _id, partner_id } = await newCampaign('Acme')
      const answer = await remove(_id)
      expect([answer.status, answer.text]).toEqual([200, ''])
      expect(await listed()).toEqual([])
      const partner = await testEvent.api('GET', `partners/${partner_id}.json`)
      expect(partner.body.partner_campaigns).toEqual([])
      await testEvent.make(path(), { partner_id, quota: 2 })
    })
  })

  test('a creation sent again with its Idempotency-Key makes one campaign, and answers the same', async () => {
    const body = { partner_id: await newPartner('Acme'), quota: 3 }
    const headers = { 'idempotency-key': `campaign-${testEvent.id}` }
    const first = await create(body, { headers })
    const again = await create(body, { headers, base: system.urls[1] as string })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await listed()).toHaveLength(1)
  })

  test('deletion answers 200 with nothing, in JSON and XML; with Prefer 200 with the campaign; then 404', async () => {
    const xml = await newCampaign('In XML')
    const answer = await testEvent.api('DELETE', path(`/${xml._id}.xml`))
    expect([answer.status, answer.text]).toEqual([200, ''])
    const campaign = await newCampaign('Acme')
    const headers = { prefer: 'return=representation' }
    const shown = await remove(campaign._id, { headers })
    expect([shown.status, shown.body._id, shown.body.quota]).toEqual([200, campaign._id, 10])
    for (const suffix of ['.json', '.xml']) {
      expect((await testEvent.api('DELETE', path(`/${campaign._id}${suffix}`))).status).toBe(404)
    }
  })

  describe('the list', () => {
    test(
      'is sorted by the partners’ names, regardless of case and accents; names that differ only in these as they are',
      slow,
      async () => {
        for (const name of 'zeta,Éclair,eclair,École,Zeta,Ärger,arg,Łódź,Lodge,Eclair,a b,a'.split(',')) {
          await newCampaign(name)
        }
        const sorted = 'a,a b,arg,Ärger,Eclair,eclair,Éclair,École,Lodge,Łódź,Zeta,zeta'
        expect(await partnersListed()).toEqual(sorted.split(','))
      },
    )

    test('has 50 a page by default, at most 500, each campaign once, and ends with an empty array', slow, async () => {
      const names = Array.from({ length: 53 }, (_, index) => `Partner ${String(index).padStart(2, '0')}`)
      await Promise.all(names.toReversed().map((name) => newCampaign(name)))
      expect(await partnersListed()).toEqual(names.slice(0, 50))
      expect(await partnersListed('?page=2')).toEqual(names.slice(50))
      expect(await partnersListed('?page=3')).toEqual([])
      expect(await partnersListed('?per_page=500')).toEqual(names)
      expect(await partnersListed('?per_page=20&page=3')).toEqual(names.slice(40))
      for (const query of ['?page=0', '?per_page=0', '?per_page=-1', '?page=x']) {
        expect((await testEvent.api('GET', `${path()}${query}`)).status, query).toBe(422)
      }
      expect((await testEvent.api('GET', `${path('.xml')}?page=3`)).text).toContain('<partner-campaigns type="array"/>')
    })

    test('follows a renamed partner, in every invitation type', async () => {
      const { partner_id } = await newCampaign('Alpha')
      await newCampaign('Mu')
      const first = type
      type = await newType('Tour')
      await testEvent.make(path(), { partner_id, quota: 1 })
      await newCampaign('Nu')
      await testEvent.change(`partners/${partner_id}.json`, { name: 'Zeta' })
      expect(await partnersListed()).toEqual(['Nu', 'Zeta'])
      type = first
      expect(await partnersListed()).toEqual(['Mu', 'Zeta'])
    })

    test('is right however a partner is renamed while it is attached', async () => {
      await newCampaign('M')
      for (let round = 0; round < rounds(3, 12); round++) {
        const partner_id = await newPartner(`A ${round}`)
        await Promise.all([
          create({ partner_id, quota: 1 }),
          testEvent.api('PUT', `partners/${partner_id}.json`, { name: `Y ${round}` }),
          testEvent.api('PUT', `partners/${partner_id}.json`, { name: `B ${round}` }),
          testEvent.api('PUT', `partners/${partner_id}.json`, { name: `Z ${round}` }),
        ])
        const names = await partnersListed()
        expect(names).toHaveLength(2)
        expect(names).toEqual(names.toSorted())
        await removePartner(partner_id)
      }
    })
  })

  test('a deletion of a partner deletes all its campaigns, of every invitation type', slow, async () => {
    const partner_id = await newPartner('Everywhere')
    const types = await Promise.all(Array.from({ length: 20 }, (_, index) => newType(`Type ${index}`)))
    await Promise.all(types.map((of) => testEvent.make(path('.json', of), { partner_id, quota: 1 })))
    const { body } = await testEvent.api('GET', `partners/${partner_id}.json`)
    expect(body.partner_campaigns).toHaveLength(20)
    expect((await removePartner(partner_id)).status).toBe(200)
    for (const of of types) expect((await testEvent.api('GET', path('.json', of))).body).toEqual([])
  })

  test('a deletion of a partner during creations of its campaigns leaves none behind', async () => {
    for (let round = 0; round < rounds(3, 12); round++) {
      const partner_id = await newPartner(`Round ${round}`)
      const types = [type, await newType(`Type ${round}`)]
      const [deletion, ...creations] = await Promise.all([
        removePartner(partner_id),
        ...types.map((of) => testEvent.api('POST', path('.json', of), { partner_id, quota: 1 })),
      ])
      expect(deletion.status).toBe(200)
      for (const { status, body } of creations) {
        if (status !== 201) expect([status, body]).toEqual([422, NO_PARTNER])
      }
      for (const of of types) expect((await testEvent.api('GET', path('.json', of))).body).toEqual([])
    }
  })

  test('a deletion of an invitation type during creations of its campaigns: 409 and they stay, or 204 and there are none', async () => {
    for (let round = 0; round < rounds(3, 12); round++) {
      type = await newType(`Type ${round}`)
      const ids = await Promise.all([0, 1, 2].map((index) => newPartner(`Partner ${round} ${index}`)))
      const [deletion, ...creations] = await Promise.all([
        testEvent.api('DELETE', `invitation_types/${type}.json`),
        ...ids.map((partner_id) => create({ partner_id, quota: 1 })),
      ])
      const list = await testEvent.api('GET', path())
      const { body: partners } = await testEvent.api('GET', `partners.json`)
      const left = partners.filter((partner: Answer['body']) => ids.includes(partner._id))
      if (deletion.status === 204) {
        expect(list.status).toBe(404)
        for (const { status } of creations) expect(status).toBe(404)
        for (const partner of left) expect(partner.partner_campaigns).toEqual([])
      } else {
        expect(deletion.status).toBe(409)
        expect(list.body).toHaveLength(creations.filter(({ status }) => status === 201).length)
        expect(list.body).toHaveLength(3)
      }
    }
  })

  describe('discount codes', () => {
    let platform: TestEvent

    beforeEach(async () => {
      platform = await TestEvent.open(system)
      await system.api('PUT', `events/${testEvent.id}.json`, { platform_event_id: platform.id })
    })
    const codes = (): Promise<Answer['body']> => platform.read('promo_codes.json')
    const wanted = {
      platform_promo_code_text: 'Partner10',
      platform_promo_code_amount: 0.1,
      platform_promo_code_percentage_of_total: true,
      platform_promo_code_max_usage: 30,
    }

    test('a code is made in the platform event, and shown with the campaign', async () => {
      const campaign = await newCampaign('Acme', wanted)
      expect(campaign).toMatchObject({ ...wanted, platform_promo_code_text: 'PARTNER10' })
      const [code, ...more] = await codes()
      expect(more).toEqual([])
      expect(code).toMatchObject({
        _id: campaign.platform_promo_code_id,
        text: 'PARTNER10',
        amount: 0.1,
        percentage_of_total: true,
        max_usage: 30,
        is_enabled: true,
        event_id: platform.id,
      })
      expect(await listed()).toEqual([campaign])
      expect(await testEvent.read('promo_codes.json')).toEqual([])
    })

    test('from XML too; amount, share and uses may be left out', async () => {
      const document = `<partner-campaign><partner-id>${await newPartner('Acme')}</partner-id><quota>5</quota><platform-promo-code-text>xml</platform-promo-code-text></partner-campaign>`
      const answer = await testEvent.xml('POST', path('.xml'), document)
      expect(answer.status, answer.text).toBe(201)
      expect(answer.text).toContain('<platform-promo-code-text>XML</platform-promo-code-text>')
      expect(answer.text).toContain('<platform-promo-code-amount type="float">0</platform-promo-code-amount>')
      expect(answer.text).toContain('<platform-promo-code-max-usage type="integer">-1</platform-promo-code-max-usage>')
      expect(answer.text).toMatch(/<platform-promo-code-id>\w{24}</)
    })

    test('a token bound to the event makes and disables no code in the platform event: 403, and nothing changes', async () => {
      const bound = { name: 'bound', scope: 'admin', event_id: testEvent.id }
      const { token } = (await system.api('POST', 'tokens.json', bound)).body
      const [coded, plain] = [await newCampaign('Coded', wanted), await newCampaign('Plain')]
      const partner_id = await newPartner('Acme')
      const body = { partner_id, quota: 1, ...wanted, platform_promo_code_text: 'MINE' }
      for (const [method, to, sent] of [
        ['POST', path(), body],
        ['DELETE', path(`/${coded._id}.json`)],
        ['DELETE', `partners/${coded.partner_id}.json`],
      ] as const) {
        const refused = await testEvent.api(method, to, sent, { token })
        expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining('bound to one event')])
      }
      expect(await codes()).toMatchObject([{ text: 'PARTNER10', is_enabled: true }])
      expect(await partnersListed()).toEqual(['Coded', 'Plain'])

      expect((await create({ partner_id, quota: 1 }, { token })).status).toBe(201)
      expect((await remove(plain._id, { token })).status).toBe(200)
      const partner = `partners/${plain.partner_id}.json`
      expect((await testEvent.api('DELETE', partner, undefined, { token })).status).toBe(200)
      expect((await remove(coded._id)).status).toBe(200)
    })

    test('without a platform event the fields are ignored, and so they are where none is given', async () => {
      expect(await newCampaign('Without code')).toMatchObject({ platform_promo_code_id: null })
      await system.api('PUT', `events/${testEvent.id}.json`, { platform_event_id: null })
      expect(await newCampaign('Ignored', wanted)).toMatchObject({
        platform_promo_code_id: null,
        platform_promo_code_text: null,
        platform_promo_code_amount: null,
      })
      expect(await codes()).toEqual([])
    })

    test('a code that the promo service refuses is 422 on the campaign’s field, in JSON and XML, and no campaign is left', async () => {
      await platform.make('promo_codes.json', { text: 'TAKEN', amount: 1 })
      const partner_id = await newPartner('Acme')
      for (const [fields, field] of [
        [{ platform_promo_code_text: 'taken' }, 'platform_promo_code_text'],
        [{ platform_promo_code_amount: 2 }, 'platform_promo_code_amount'],
        [{ platform_promo_code_amount: -1 }, 'platform_promo_code_amount'],
        [{ platform_promo_code_max_usage: -2 }, 'platform_promo_code_max_usage'],
        [{ platform_promo_code_text: ' ' }, 'platform_promo_code_text'],
      ] as const) {
        const answer = await create({ partner_id, quota: 1, ...wanted, ...fields })
        expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
      }
      const document = `<partner-campaign><partner-id>${partner_id}</partner-id><quota>5</quota><platform-promo-code-text>Taken</platform-promo-code-text></partner-campaign>`
      const answer = await testEvent.xml('POST', path('.xml'), document)
      expect(answer.status).toBe(422)
      expect(answer.text).toContain('<error>Platform promo code text has already been taken</error>')
      expect(await listed()).toEqual([])
      expect(await codes()).toHaveLength(1)
      expect((await testEvent.make(path(), { partner_id, quota: 1, ...wanted })).platform_promo_code_text).toBe(
        'PARTNER10',
      )
    })

    test(
      'of 20 parallel creations exactly one answers 201, with one code, the others 422 on partner_id',
      slow,
      async () => {
        for (let round = 0; round < rounds(1, 3); round++) {
          const partner_id = await newPartner(`Round ${round}`)
          const body = { partner_id, quota: 1, ...wanted, platform_promo_code_text: `round ${round}` }
          const answers = await Promise.all(
            Array.from({ length: 20 }, (_, index) => create(body, { base: system.urls[index % 2] as string })),
          )
          const [winner, ...more] = answers.filter(({ status }) => status === 201)
          expect(more).toEqual([])
          for (const { status, body } of answers.filter((answer) => answer !== winner)) {
            expect([status, body]).toEqual([422, TAKEN])
          }
          const partner = await testEvent.read(`partners/${partner_id}.json`)
          expect(partner.partner_campaigns).toEqual([winner?.body])
          const found = (await codes()).filter(({ text }: { text: string }) => text === `ROUND ${round}`)
          expect(found.map(({ _id }: { _id: string }) => _id)).toEqual([winner?.body.platform_promo_code_id])
        }
      },
    )

    test('10 partners want the same text at once: one gets it, the others get 422 and no campaign', async () => {
      const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => newPartner(`Partner ${index}`)))
      const answers = await Promise.all(ids.map((partner_id) => create({ partner_id, quota: 1, ...wanted })))
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      for (const { body } of answers.filter(({ status }) => status !== 201)) {
        expect(body).toEqual({ errors: { platform_promo_code_text: ['has already been taken'] } })
      }
      expect(await listed()).toHaveLength(1)
      expect(await codes()).toHaveLength(1)
    })

    test('deleting the campaign, or its partner, disables the code and keeps it', async () => {
      const one = await newCampaign('One', wanted)
      expect((await remove(one._id)).status).toBe(200)
      expect(await codes()).toMatchObject([{ _id: one.platform_promo_code_id, is_enabled: false }])
      const two = await newCampaign('Two', { ...wanted, platform_promo_code_text: 'two' })
      expect((await removePartner(two.partner_id)).status).toBe(200)
      expect(await codes()).toMatchObject([{ _id: two.platform_promo_code_id, is_enabled: false }, {}])
      expect(await codes()).toHaveLength(2)
    })

    test('a campaign whose code was deleted can be deleted', async () => {
      const { _id, platform_promo_code_id } = await newCampaign('Acme', wanted)
      await platform.remove(`promo_codes/${platform_promo_code_id}.json`)
      expect((await remove(_id)).status).toBe(200)
      expect(await listed()).toEqual([])
    })
  })
})
