import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { describe, expect, inject, test } from 'vitest'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'
import type { StoredInvitation } from './store.ts'

const system = await sharedSystem()

const XML = { 'content-type': 'application/xml; charset=utf-8' }
const USED_UP = { errors: { quota: ['is used up'] } }

describe('invitations of partners', () => {
  describe('a batch', () => {
    test('answers 201 with the invitations in order, queued; nobody can set what is the service’s', slow, async () => {
      const campaign = await TestCampaign.open(system)
      const ada = {
        email: ' Ada@Example.org ',
        first_name: 'Ada',
        last_name: 'Lovelace',
        locale: 'en',
        guest_metadata: { diet: 'none' },
      }
      const { status, body } = await campaign.invite([ada, { email: 'bob@example.org', state: 'sent', _id: 'mine' }])
      expect(status).toBe(201)
      expect(body[0]).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        ...ada,
        email: 'Ada@Example.org',
        guest_metadata: [{ name: 'diet', value: 'none' }],
        state: 'queued',
        reason: null,
        sent_at: null,
        opened_at: null,
        answer: null,
        registration_state: null,
        confirmed_at: null,
        partner_id: campaign.partner,
        partner_campaign_id: campaign.id,
        created_at: expect.stringMatching(/Z$/),
        updated_at: body[0].created_at,
      })
      expect(body[1]).toMatchObject({ email: 'bob@example.org', first_name: null, guest_metadata: [], state: 'queued' })
      expect(await campaign.invitations()).toHaveLength(2)
      const items = await campaign.invite(addresses(1_200))
      expect(
        items.body.filter(({ errors }: Answer['body']) => !errors).map(({ email }: Answer['body']) => email),
      ).toEqual(addresses(998))
    })

    test('is taken wrapped, in XML and as a form', slow, async () => {
      const campaign = await TestCampaign.open(system)
      const path = (suffix: string) => `partners/${campaign.token}/invitations/batch_create${suffix}`
      for (const [root, email] of [
        ['invitations', 'a@example.org'],
        ['partner_invitations', 'b@example.org'],
      ] as const) {
        const answer = await system.api('POST', path('.json'), { [root]: [{ email }] }, { token: '' })
        expect(answer.status, answer.text).toBe(201)
      }
      const document =
        '<invitations type="array"><invitation><email>c@example.org</email><first-name>Zoë &amp; co</first-name></invitation><invitation/></invitations>'
      const xml = await system.api('POST', path('.xml'), document, { token: '', headers: XML })
      expect([xml.status, xml.text]).toEqual([422, expect.stringContaining('<first-name>Zoë &amp; co</first-name>')])
      expect(xml.text).toContain("<errors><error>Email can't be blank</error></errors>")
      const form = await system.api('POST', path('.json'), 'invitations[][email]=d@example.org', {
        token: '',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(form.status, form.text).toBe(201)
      expect(await campaign.invitations()).toHaveLength(4)
    })

    test(
      'an address that the campaign has is the same recipient, in other letters too: its invitation comes again, unchanged',
      slow,
      async () => {
        const campaign = await TestCampaign.open(system)
        const first = await campaign.invite([{ email: 'ada@bücher.example', first_name: 'Ada' }, 'ADA@Bücher.example'])
        expect(first.status).toBe(201)
        expect(first.body[1]).toEqual(first.body[0])
        const again = await campaign.invite([{ email: 'Ada@XN--bcher-kva.example', first_name: 'Eve' }])
        expect([again.status, again.body]).toEqual([201, [first.body[0]]])
        expect(await campaign.counters()).toMatchObject({ used: 1, nb_recipients: 1 })
        // Nothing else is folded.
        const other = await campaign.invite(['a.da@bücher.example', 'ada+x@bücher.example'])
        expect(new Set([...first.body, ...other.body].map(({ _id }) => _id)).size).toBe(3)
      },
    )

    test('good items stay, each bad one has its errors in its place: 422', async () => {
      const campaign = await TestCampaign.open(system, { quota: 2 })
      const { status, body } = await campaign.invite([
        'a@b.example',
        'nobody',
        {},
        'b@b.example',
        'c@b.example',
        'A@b.example',
      ])
      expect(status).toBe(422)
      expect(body).toMatchObject([
        { email: 'a@b.example' },
        { errors: { email: ['is not valid'] } },
        { errors: { email: ["can't be blank"] } },
        { email: 'b@b.example' },
        USED_UP,
        { email: 'a@b.example' },
      ])
      expect(body[4]).toEqual(USED_UP)
      expect(await campaign.counters()).toMatchObject({ quota: 2, used: 2, left: 0, nb_recipients: 2 })
    })

    test('10,000 are accepted whole, in order; sent again they are the same', deep, async () => {
      const campaign = await TestCampaign.open(system, { quota: 10_000 })
      const first = await campaign.invite(addresses(10_000))
      expect(first.status).toBe(201)
      expect(first.body.map(({ email }: Answer['body']) => email)).toEqual(addresses(10_000))
      expect(await campaign.counters()).toMatchObject({ used: 10_000, left: 0, nb_recipients: 10_000 })
      const again = await campaign.invite(addresses(10_000))
      const ids = ({ body }: Answer): string[] => body.map(({ _id }: Answer['body']) => _id)
      expect([again.status, ids(again)]).toEqual([201, ids(first)])
    })

    test('more than 10,000 items are 413, an empty batch is 201', async () => {
      const campaign = await TestCampaign.open(system)
      expect((await campaign.invite(addresses(10_001))).status).toBe(413)
      expect(await campaign.invite([])).toMatchObject({ status: 201, body: [] })
      expect(await campaign.invitations()).toEqual([])
    })

    test('with an Idempotency-Key the first answer comes again, errors included; after a revocation it does not', async () => {
      const campaign = await TestCampaign.open(system, { quota: 1 })
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const batch = ['a@b.example', 'b@b.example']
      const [first, again] = [await campaign.invite(batch, { headers }), await campaign.invite(batch, { headers })]
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([422, first.text, 'true'])
      const tokens = `partners/${campaign.partner}/partner_campaigns/${campaign.id}/partner_access_tokens`
      const [{ _id }] = await campaign.testEvent.read(`${tokens}.json`)
      await campaign.testEvent.remove(`${tokens}/${_id}.json`)
      expect((await campaign.invite(batch, { headers })).status).toBe(401)
    })
  })

  describe('quotas', () => {
    test('the partner’s own holds over all its campaigns; raised, it lets more in; lowered, it takes nothing back', async () => {
      const one = await TestCampaign.open(system, { partner: { recipients_quota: 3 }, quota: 2 })
      const two = await TestCampaign.attach(one.testEvent, one.partner, { quota: 5 })
      expect((await one.invite(addresses(2))).status).toBe(201)
      const answer = await two.invite(addresses(2))
      expect([answer.status, answer.body[1]]).toEqual([422, USED_UP])
      expect(await two.counters()).toMatchObject({ quota: 5, used: 1, left: 0 })
      await one.testEvent.change(`partners/${one.partner}.json`, { recipients_quota: 4 })
      expect(await two.counters()).toMatchObject({ used: 1, left: 1 })
      expect((await two.invite(addresses(3))).body.map(({ errors }: Answer['body']) => !errors)).toEqual([
        true,
        true,
        false,
      ])
      await one.testEvent.change(`partners/${one.partner}.json`, { recipients_quota: 1 })
      expect(await two.counters()).toMatchObject({ used: 2, left: 0 })
      expect((await two.invite(['x@y.example'])).body).toEqual([USED_UP])
      await one.testEvent.change(`partners/${one.partner}.json`, { recipients_quota: -1 })
      expect(await two.counters()).toMatchObject({ left: 3 })
      const view = await one.organizersView()
      expect(view).toMatchObject({ nb_recipients: 4, nb_email_sent: 0, nb_recipients_email_sent: 0 })
      expect(view.partner_campaigns).toMatchObject([{ nb_email_sent: 0 }, { nb_email_sent: 0 }])
    })

    test('a quota of 0 lets nobody in', async () => {
      for (const fields of [{ quota: 0 }, { partner: { recipients_quota: 0 } }]) {
        const campaign = await TestCampaign.open(system, fields)
        expect((await campaign.invite(['a@b.example'])).body).toEqual([USED_UP])
        expect(await campaign.invitations()).toEqual([])
        expect(await campaign.counters()).toMatchObject({ used: 0, left: 0, nb_recipients: 0 })
      }
    })
  })

  describe('access', () => {
    test('the token stands in the path or is sent as a Bearer token', async () => {
      const campaign = await TestCampaign.open(system)
      const init = { token: '', headers: { authorization: `Bearer ${campaign.token}` } }
      const creation = await system.api(
        'POST',
        'partners/invitations/batch_create.json',
        [{ email: 'a@b.example' }],
        init,
      )
      expect(creation.status, creation.text).toBe(201)
      const list = await system.api('GET', 'partners/invitations.json', undefined, init)
      expect([list.status, list.body]).toEqual([200, creation.body])
      const counters = await system.api('GET', 'partners/campaign.json', undefined, init)
      expect(counters.body).toEqual(await campaign.counters())
      for (const authorization of ['Bearer gh_partner_wrong', `Bearer ${system.auth_token}`, 'Bearer', '']) {
        const answer = await system.api('GET', 'partners/campaign.json', undefined, {
          token: '',
          headers: { authorization },
        })
        expect(answer.status, authorization).toBe(401)
      }
      // The path's token counts where there is one.
      const wrong = await system.api('GET', 'partners/gh_partner_wrong/campaign.json', undefined, init)
      expect(wrong.status).toBe(401)
    })

    test('a wrong token is 401 in JSON and XML; so is one of a deleted campaign', async () => {
      const campaign = await TestCampaign.open(system)
      for (const token of ['gh_partner_wrong', `${campaign.token}x`, campaign.id, system.auth_token]) {
        for (const path of ['campaign', 'invitations']) {
          expect((await system.api('GET', `partners/${token}/${path}.json`, undefined, { token: '' })).status).toBe(401)
          const xml = await system.api('GET', `partners/${token}/${path}.xml`, undefined, { token: '' })
          expect([xml.status, xml.text]).toEqual([401, expect.stringContaining('<errors><error>')])
        }
      }
      await campaign.invite(['a@b.example'])
      const path = `invitation_types/${campaign.type}/partner_campaigns/${campaign.id}`
      expect((await campaign.testEvent.api('DELETE', `${path}.json`)).status).toBe(200)
      expect((await campaign.invite(['b@b.example'])).status).toBe(401)
      expect((await campaign.testEvent.api('GET', `${path}/invitations.json`)).status).toBe(404)
    })

    test('a campaign sees its own invitations alone; the organizer sees them under its campaign', async () => {
      const one = await TestCampaign.open(system)
      const two = await TestCampaign.attach(one.testEvent, one.partner)
      const [first] = (await one.invite(['a@b.example'])).body
      await two.invite(['a@b.example', 'b@b.example'])
      expect(await one.invitations()).toEqual([first])
      const path = (type: string) => `invitation_types/${type}/partner_campaigns/${one.id}/invitations.json`
      expect(await one.testEvent.read(path(one.type))).toEqual([first])
      expect((await one.testEvent.api('GET', path(two.type))).status).toBe(404)
      const other = await TestEvent.open(system)
      expect((await other.api('GET', path(one.type))).status).toBe(404)
      const stranger = await system.account('stranger')
      expect((await one.testEvent.api('GET', path(one.type), undefined, { token: stranger.auth_token })).status).toBe(
        404,
      )
    })
  })

  test('the list comes in pages, newest first, and by state; an unknown state is 422', async () => {
    const campaign = await TestCampaign.open(system)
    for (const email of ['a@b.example', 'b@b.example', 'c@b.example']) await campaign.invite([email])
    const emails = async (query: string) => (await campaign.invitations(query)).map(({ email }) => email)
    expect(await emails('&per_page=2')).toEqual(['c@b.example', 'b@b.example', 'a@b.example'])
    expect(await emails('&state=queued')).toEqual(['c@b.example', 'b@b.example', 'a@b.example'])
    expect(await emails('&state=sent')).toEqual([])
    for (const state of ['pending', 'x', '']) {
      const path = `partners/${campaign.token}/invitations.json?state=${state}`
      expect((await system.api('GET', path, undefined, { token: '' })).status, state).toBe(422)
    }
  })

  test(
    'a deleted partner’s invitations are deleted, those of campaigns that it had earlier too, and those that come late',
    slow,
    async () => {
      const campaign = await TestCampaign.open(system)
      const earlier = await TestCampaign.attach(campaign.testEvent, campaign.partner)
      await Promise.all([campaign.invite(addresses(3)), earlier.invite(addresses(2))])
      const path = `invitation_types/${earlier.type}/partner_campaigns/${earlier.id}.json`
      expect((await campaign.testEvent.api('DELETE', path)).status).toBe(200)
      const mongo = await MongoClient.connect(inject('mongodbUrl'))
      const invitations = mongo.db(`${system.namespace}_partners`).collection<StoredInvitation>('invitations')
      const left = () => invitations.countDocuments({ partner_id: campaign.partner })
      expect(await left()).toBe(5)
      const [late] = await invitations.find({ partner_campaign_id: campaign.id }).limit(1).toArray()
      expect((await campaign.testEvent.api('DELETE', `partners/${campaign.partner}.json`)).status).toBe(200)
      expect((await campaign.invite(['b@b.example'])).status).toBe(401)
      expect(await left()).toBe(0)
      await invitations.insertOne(late as StoredInvitation)
      await expect.poll(left).toBe(0)
      await mongo.close()
    },
  )
})
