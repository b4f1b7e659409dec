import { clientOf, createdId } from '@gatehouse/proto/bus/client.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import type { ServiceContext } from '@gatehouse/proto/serving/service.ts'
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { startReplica, startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type Answer, SECRETS_KEY, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, isDeep, slow } from '@gatehouse/test/rounds.ts'
import { type Db, MongoClient, ObjectId } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startService } from '../../../services.ts'
import { type Dependencies, openDependencies } from '../../dependencies.ts'
import { partnerCampaigns } from '../../resources.ts'
import type { Config } from '../../settings.ts'
import type { PartnerStore, StoredPartner } from '../partners/store.ts'
import { makeCode } from './codes.ts'
import { renamePartner, sweep } from './reconciliation.ts'
import { nothingYet, type PartnerCampaignStore, type StoredCampaign, sortName } from './store.ts'

const TAKEN = { errors: { partner_id: ['has already been taken'] } }

/**
 * Each state that a process can leave behind when it dies is made by the first steps of what it was doing, on the database of a running
 * system; then it is seen what clients get, and what the next request or the sweep makes of it.
 */
describe('work that a dead process left unfinished', () => {
  const mongo = new MongoClient(inject('mongodbUrl'))
  let system: System
  let db: Db
  let partners: PartnerStore
  let campaigns: PartnerCampaignStore
  let dependencies: Dependencies
  let promoService: Running | undefined
  let serving: Running
  let event: string
  let platform: string
  let type: string

  const config = () => ({
    mongodb_url: inject('mongodbUrl'),
    nats_url: natsUrlOf('promo'),
    namespace: system.namespace,
    log_level: 'silent',
    deadline_ms: 30_000,
    secrets_key: SECRETS_KEY,
  })
  const startPartners = (): Promise<Running> => startReplica('partners', system, { deadline_ms: 30_000 })

  beforeAll(async () => {
    system = await startSystem(isDeep ? { gateway: { deadline_ms: 5_000 } } : {})
    serving = await startPartners()
    promoService = await startService('promo', config())
    db = mongo.db(`${system.namespace}_partners`)
    const context = { bus: system.bus, store: { db }, log: makeLog('test', 'silent') } as ServiceContext
    const settings = { ...config(), public_url: system.url, mail_retry_delays: '1' } as Config
    dependencies = await openDependencies(context, settings)
    partners = dependencies.partners
    campaigns = dependencies.campaigns
  })
  afterAll(async () => {
    await serving?.stop()
    await promoService?.stop()
    await system?.stop()
    await mongo.close()
  })
  beforeEach(async () => {
    platform = (await made('events.json', { title: 'Platform', account_id: system.account_id }))._id
    const fields = { title: 'Fair', account_id: system.account_id, platform_event_id: platform }
    event = (await made('events.json', fields))._id
    type = (await made(`events/${event}/invitation_types.json`, { name: 'Evening' }))._id
  })

  const made = async (to: string, fields: object): Promise<Answer['body']> => {
    const answer = await system.api('POST', to, fields)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const path = (rest = '.json'): string => `events/${event}/invitation_types/${type}/partner_campaigns${rest}`
  const newPartner = (name = 'Acme'): Promise<Answer['body']> =>
    made(`events/${event}/partners.json`, { name, uid: `uid of ${name}` })
  const wanted = { platform_promo_code_text: 'TEN', platform_promo_code_amount: 10 }
  const newCampaign = async (name = 'Acme', fields: object = wanted): Promise<Answer['body']> =>
    made(path(), { partner_id: (await newPartner(name))._id, quota: 5, ...fields })
  const listed = async (): Promise<Answer['body']> => (await system.api('GET', path())).body
  const codes = async (): Promise<Answer['body']> =>
    (await system.api('GET', `events/${platform}/promo_codes.json`)).body
  const remains = async (): Promise<number> =>
    (await db.collection('partner_campaigns').countDocuments({ event_id: event, settled: false })) +
    (await db.collection('partners').countDocuments({ event_id: event, unsettled: true }))
  const withoutPromo = async (run: () => Promise<void>): Promise<void> => {
    await promoService?.stop()
    promoService = undefined
    try {
      await run()
    } finally {
      promoService = await startService('promo', config())
    }
  }

  /** The first step of a creation: the campaign is stored, and nothing else. */
  async function begun(partner: Answer['body'], _id = new ObjectId().toHexString()): Promise<StoredCampaign> {
    const now = new Date()
    const campaign: StoredCampaign = {
      _id,
      event_id: event,
      invitation_type_id: type,
      partner_id: partner._id,
      quota: 5,
      ...nothingYet,
      reply_to: null,
      created_at: now,
      updated_at: now,
      sort_name: sortName(partner.name),
      name_version: 0,
      wanted_code: { event_id: platform, text: 'TEN', amount: 10, percentage_of_total: false, max_usage: -1 },
      settled: false,
      gone: false,
    }
    expect((await campaigns.insert(campaign))?._id).toBe(_id)
    return campaign
  }

  describe('a campaign without its discount code', () => {
    test('is not shown, alone or in its partner', async () => {
      const partner = await newPartner()
      await begun(partner)
      expect(await listed()).toEqual([])
      const { body } = await system.api('GET', `events/${event}/partners/${partner._id}.json`)
      expect(body.partner_campaigns).toEqual([])
    })

    test.each(['before', 'after'])(
      'is completed by the next creation of the same, with one code, where the process died %s making it',
      async (when) => {
        const partner = await newPartner()
        const campaign = await begun(partner)
        if (when === 'after') await makeCode(dependencies, campaign)
        const answer = await system.api('POST', path(), { partner_id: partner._id, quota: 1, ...wanted })
        expect([answer.status, answer.body]).toEqual([422, TAKEN])
        const [code, ...more] = await codes()
        expect(more).toEqual([])
        expect(await listed()).toMatchObject([{ _id: campaign._id, quota: 5, platform_promo_code_id: code._id }])
      },
    )

    test('is completed by a retry with its Idempotency-Key, which answers with it', async () => {
      const partner = await newPartner()
      const question = {
        params: { event_id: event, invitation_type_id: type },
        body: {
          partner_id: partner._id,
          quota: 5,
          platform_promo_code_text: 'TEN',
          platform_promo_code_amount: 10,
          platform_promo_code_percentage_of_total: null,
          platform_promo_code_max_usage: null,
        },
        idempotency_key: `retry ${event}`,
      }
      const campaign = await begun(partner, createdId(partnerCampaigns, 'create', question))
      const client = clientOf(system.bus, partnerCampaigns)
      const retried = await client.create(question)
      expect(retried._id).toBe(campaign._id)
      expect(await client.create(question)).toEqual(retried)
      expect((await codes()).map((code: Answer['body']) => code._id)).toEqual([retried.platform_promo_code_id])
      expect(await listed()).toHaveLength(1)
    })

    test('a campaign whose code cannot be made gives its place to the next creation', async () => {
      await made(`events/${platform}/promo_codes.json`, { text: 'ten', amount: 1 })
      const partner = await newPartner()
      const campaign = await begun(partner)
      const body = { partner_id: partner._id, quota: 1, ...wanted, platform_promo_code_text: 'other' }
      const next = await made(path(), body)
      expect(next._id).not.toBe(campaign._id)
      expect(await listed()).toEqual([next])
      expect(await codes()).toHaveLength(2)
      expect(await remains()).toBe(0)
    })

    test('is deleted with its partner, and its code too', async () => {
      const partner = await newPartner()
      await makeCode(dependencies, await begun(partner))
      expect(await codes()).toHaveLength(1)
      expect((await system.api('DELETE', `events/${event}/partners/${partner._id}.json`)).status).toBe(200)
      expect(await codes()).toEqual([])
      expect(await remains()).toBe(0)
    })

    test('is completed by the sweep', async () => {
      const campaign = await begun(await newPartner())
      await sweep(dependencies, new Date(0))
      expect(await listed()).toEqual([])
      await sweep(dependencies, new Date())
      expect(await listed()).toMatchObject([{ _id: campaign._id, platform_promo_code_text: 'TEN' }])
      expect(await codes()).toHaveLength(1)
    })
  })

  describe('a renamed partner', () => {
    test('is listed by its new name, though its campaigns still have the old one', async () => {
      const { partner_id } = await newCampaign('Alpha')
      const { partner_id: other } = await newCampaign('Mu', {})
      await partners.update(event, partner_id, { name: 'Zeta' })
      const order = (await listed()).map((campaign: Answer['body']) => campaign.partner_id)
      expect(order).toEqual([other, partner_id])
      expect(await remains()).toBe(0)
    })

    test('while its campaign is being made is listed by its new name', async () => {
      const { partner_id: other } = await newCampaign('Mu', {})
      const partner = await newPartner('Alpha')
      expect((await system.api('PUT', `events/${event}/partners/${partner._id}.json`, { name: 'Zeta' })).status).toBe(
        204,
      )
      await begun(partner)
      await sweep(dependencies, new Date())
      const order = (await listed()).map((campaign: Answer['body']) => campaign.partner_id)
      expect(order).toEqual([other, partner._id])
    })

    test('the campaigns keep the later of two new names, in whichever order they get them', async () => {
      const { _id, partner_id } = await newCampaign('Alpha')
      const first = await partners.update(event, partner_id, { name: 'Beta' })
      const second = await partners.update(event, partner_id, { name: 'Gamma' })
      await renamePartner(dependencies, second as StoredPartner)
      await renamePartner(dependencies, first as StoredPartner)
      expect((await campaigns.get(event, _id))?.sort_name).toBe(sortName('Gamma'))
      expect(await remains()).toBe(0)
    })
  })

  describe('a deleted partner', () => {
    test('is shown nowhere, nor are its campaigns, and its name and uid are free', async () => {
      const { partner_id } = await newCampaign()
      await partners.markDeleted(event, partner_id)
      for (const id of [partner_id, 'uid%20of%20Acme']) {
        expect((await system.api('GET', `events/${event}/partners/${id}.json`)).status).toBe(404)
      }
      expect((await system.api('GET', `events/${event}/partners.json`)).body).toEqual([])
      expect(await listed()).toEqual([])
      await newPartner()
    })

    test.each(['_id', 'uid'])('can be deleted again by its %s, and then nothing is left of it', async (by) => {
      const { _id, partner_id } = await newCampaign()
      const tokens = `events/${event}/partners/${partner_id}/partner_campaigns/${_id}/partner_access_tokens.json`
      await made(tokens, {})
      await partners.markDeleted(event, partner_id)
      const id = by === 'uid' ? 'uid%20of%20Acme' : partner_id
      expect((await system.api('DELETE', `events/${event}/partners/${id}.json`)).status).toBe(200)
      expect((await system.api('DELETE', `events/${event}/partners/${id}.json`)).status).toBe(404)
      expect(await codes()).toMatchObject([{ is_enabled: false }])
      for (const name of ['partners', 'partner_campaigns', 'partner_access_tokens']) {
        expect(await db.collection(name).countDocuments({ event_id: event }), name).toBe(0)
      }
    })

    test('is removed by the sweep', async () => {
      const { partner_id } = await newCampaign()
      await partners.markDeleted(event, partner_id)
      await sweep(dependencies, new Date())
      expect(await codes()).toMatchObject([{ is_enabled: false }])
      expect(await remains()).toBe(0)
    })

    test('does not reappear with a campaign that was begun before the deletion and stored after it', async () => {
      const partner = await newPartner()
      await system.api('DELETE', `events/${event}/partners/${partner._id}.json`)
      const late = await begun(partner)
      await sweep(dependencies, new Date())
      expect(await campaigns.find(late)).toBeNull()
      expect(await codes()).toEqual([])
      expect(await listed()).toEqual([])
    })
  })

  test('an interrupted deletion of a campaign is finished by another, or by the sweep: no tokens, and the code is disabled', async () => {
    const ways: [string, (id: string) => Promise<void>][] = [
      ['again', async (id) => expect((await system.api('DELETE', path(`/${id}.json`))).status).toBe(200)],
      ['swept', () => sweep(dependencies, new Date())],
    ]
    for (const [name, way] of ways) {
      const { _id, partner_id } = await newCampaign(name, { ...wanted, platform_promo_code_text: name })
      const tokens = `events/${event}/partners/${partner_id}/partner_campaigns/${_id}/partner_access_tokens.json`
      await made(tokens, {})
      await campaigns.markDeleted(event, type, _id)
      expect(await listed()).toEqual([])
      expect((await system.api('GET', tokens)).status).toBe(404)
      await way(_id)
      expect((await system.api('DELETE', path(`/${_id}.json`))).status).toBe(404)
      expect((await codes())[0].is_enabled).toBe(false)
      expect(await db.collection('partner_access_tokens').countDocuments({ event_id: event })).toBe(0)
      expect(await remains()).toBe(0)
    }
  })

  describe('while the promo service is away', () => {
    test('a campaign with a code is 503 and not seen; one without is made; a retry makes one campaign and one code', async () => {
      const { _id } = await newPartner()
      const body = { partner_id: _id, quota: 5, ...wanted }
      const headers = { 'idempotency-key': `away ${event}` }
      await withoutPromo(async () => {
        const answer = await system.api('POST', path(), body, { headers })
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
        expect(await listed()).toEqual([])
        await newCampaign('Without', {})
      })
      const retried = await system.api('POST', path(), body, { headers })
      expect(retried.status, retried.text).toBe(201)
      expect((await codes()).map((code: Answer['body']) => code._id)).toEqual([retried.body.platform_promo_code_id])
      expect(await listed()).toHaveLength(2)
    })

    test('a deleted campaign is hidden, and its code is disabled when it is deleted again', slow, async () => {
      const one = await newCampaign('One', { ...wanted, platform_promo_code_text: 'one' })
      const two = await newCampaign('Two', { ...wanted, platform_promo_code_text: 'two' })
      const both = [path(`/${one._id}.json`), `events/${event}/partners/${two.partner_id}.json`]
      await withoutPromo(async () => {
        for (const to of both) expect((await system.api('DELETE', to)).status).toBe(503)
        expect(await listed()).toEqual([])
        expect((await system.api('GET', both[1] as string)).status).toBe(404)
      })
      for (const to of both) expect((await system.api('DELETE', to)).status).toBe(200)
      expect((await codes()).map((code: Answer['body']) => code.is_enabled)).toEqual([false, false])
      expect(await remains()).toBe(0)
    })
  })

  test(
    'the sweep settles everything that a process leaves when killed during creations and deletions',
    deep,
    async () => {
      await serving.stop()
      const doomed = await startReplicaProcess('partners', system, { deadline_ms: 30_000 })
      const ids: string[] = await Promise.all(
        Array.from({ length: 24 }, async (_, index) => (await newPartner(`Partner ${index}`))._id),
      )
      const created = (id: string, index: number): Promise<Answer> =>
        system.api('POST', path(), { partner_id: id, quota: 1, ...wanted, platform_promo_code_text: `code ${index}` })
      const answered = await Promise.all(ids.slice(0, 8).map(created))
      expect(answered.map(({ status }) => status)).toEqual(Array(8).fill(201))
      const working = [
        ...ids.slice(8).map((id, index) => created(id, index + 8)),
        ...ids.slice(0, 8).map((id) => system.api('DELETE', `events/${event}/partners/${id}.json`)),
      ]
      await Promise.race(working)
      await doomed.kill()
      const answers = await Promise.all(working)
      serving = await startPartners()
      const seen = await listed()
      for (const { body } of answers.slice(0, 16).filter(({ status }) => status === 201))
        expect(seen).toContainEqual(body)

      await sweep(dependencies, new Date())
      const left = await listed()
      const { body: known } = await system.api('GET', `events/${event}/partners.json`)
      const isKnown = new Set(known.map(({ _id }: { _id: string }) => _id))
      const enabled = (await codes()).filter((code: Answer['body']) => code.is_enabled)
      expect(left.map((campaign: Answer['body']) => campaign.platform_promo_code_id).sort()).toEqual(
        enabled.map((code: Answer['body']) => code._id).sort(),
      )
      for (const { partner_id } of left) expect(isKnown.has(partner_id)).toBe(true)
      for (const [index, { status }] of answers.slice(16).entries()) {
        if (status === 200) expect(isKnown.has(ids[index] as string)).toBe(false)
      }
      expect(await remains()).toBe(0)
      for (const [index, id] of ids.slice(8).entries()) {
        expect([201, 422]).toContain((await created(id, index + 8)).status)
      }
      expect(await listed()).toHaveLength(
        16 + left.filter((each: Answer['body']) => ids.indexOf(each.partner_id) < 8).length,
      )
      expect(await codes().then((all) => new Set(all.map((code: Answer['body']) => code.text)).size)).toBe(
        (await codes()).length,
      )
    },
  )

  test('a code is made once, however many make it at the same time', async () => {
    const campaign = await begun(await newPartner())
    const makers = Array.from({ length: 8 }, () => makeCode(dependencies, campaign))
    const ids = (await Promise.all(makers)).map((code) => code?.platform_promo_code_id)
    expect((await codes()).map((code: Answer['body']) => code._id)).toEqual([...new Set(ids)])
  })
})
