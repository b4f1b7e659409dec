import { type Plan, planOf } from '@gatehouse/test/harness/query-plans.ts'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { InvitationTypeStore } from './invitation-types/store.ts'
import { PartnerAccessTokenStore } from './partner-access-tokens/store.ts'
import { nothingYet, PartnerCampaignStore, type StoredCampaign, sortName } from './partner-campaigns/store.ts'
import { noneYet } from './partners/resource.ts'
import { PartnerStore } from './partners/store.ts'

const PARTNERS = 600
const TYPES = 4
const OTHER_TYPES = 300

/** What the stores really send is caught on its way and explained by the database. */
describe('each list of the partners service is served by an index', () => {
  const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  const db = client.db(`test-${crypto.randomUUID()}`)
  const partners = new PartnerStore(db)
  const types = new InvitationTypeStore(db)
  const campaigns = new PartnerCampaignStore(db)
  const tokens = new PartnerAccessTokenStore(db)
  let sent: Document[] = []

  beforeAll(async () => {
    await Promise.all([partners, types, campaigns, tokens].map((store) => store.prepare()))
    const now = new Date()
    const stamps = { created_at: now, updated_at: now }
    for (let number = 0; number < TYPES; number++) {
      await types.insert({ _id: `type-${number}`, name: 'Evening', event_id: 'event', ...stamps })
    }
    await Promise.all(
      Array.from({ length: OTHER_TYPES }, (_, number) =>
        types.insert({ _id: `other-${number}`, name: 'Evening', event_id: `other-${number}`, ...stamps }),
      ),
    )
    for (let from = 0; from < PARTNERS; from += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => furnish(from + index, stamps)))
    }
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') sent.push(command)
    })
  })
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  async function furnish(number: number, stamps: { created_at: Date; updated_at: Date }): Promise<void> {
    const event_id = number % 2 === 0 ? 'event' : 'other'
    const [_id, name] = [`partner-${number}`, `Partner ${number}`]
    const fields = { name, uid: `uid-${number}`, recipients_quota: -1, disable_emails: false }
    await partners.insert({ _id, ...fields, ...noneYet, event_id, ...stamps })
    const campaign: StoredCampaign = {
      _id: `campaign-${number}`,
      event_id,
      partner_id: _id,
      invitation_type_id: `type-${number % TYPES}`,
      quota: 1,
      ...nothingYet,
      reply_to: null,
      ...stamps,
      sort_name: sortName(name),
      name_version: 0,
      settled: true,
      gone: false,
    }
    await campaigns.insert(campaign)
    const token = { event_id, partner_id: _id, partner_campaign_id: campaign._id, created_at: stamps.created_at }
    await tokens.put({ _id: `token-${number}`, ...token, expires_at: new Date(2099, 1), hash: `hash-${number}` })
  }

  /** The first query of a run, explained: the indexes it walks, whether it sorts what it found, how many documents it reads. */
  async function explained(run: () => Promise<unknown>): Promise<Plan> {
    sent = []
    await run()
    return planOf(db, sent[0] as Document)
  }

  const LIST = 'event_id_1_invitation_type_id_1_settled_1_sort_name_1__id_1'

  test('campaigns of an invitation type come in the order of the index, a page at a time', async () => {
    const page = (number: number) => () => campaigns.page('event', 'type-0', { page: number, per_page: 20 })
    expect(await explained(page(1))).toMatchObject({ indexes: [LIST], sorts: false })
    expect(await explained(page(5))).toMatchObject({ indexes: [LIST], sorts: false })
    expect(await page(1)()).toHaveLength(20)
  })

  test.each<[string, () => Promise<unknown>, string, number]>([
    ['partners of an event', () => partners.ofEvent('event'), 'event_id_1_created_at_1__id_1', 300],
    ['a partner by its _id', () => partners.get('event', 'partner-2'), 'event_id_1_addresses_1', 1],
    ['a partner by its uid', () => partners.get('event', 'uid-2'), 'event_id_1_addresses_1', 1],
    ['a partner by its name', () => partners.named('event', 'Partner 2'), 'event_id_1_name_1', 1],
    ['unsettled partners of an event', () => partners.unsettledOf('event'), 'unsettled_1_event_id_1', 0],
    ['unsettled partners of all events', () => partners.unsettledSince(new Date()), 'unsettled_1_event_id_1', 0],
    ['invitation types of an event', () => types.ofEvent('event'), 'event_id_1_created_at_1__id_1', 4],
    [
      'campaigns of a partner',
      () => campaigns.ofPartner('event', 'partner-2'),
      'event_id_1_partner_id_1_created_at_1__id_1',
      1,
    ],
    [
      'campaigns of a partner that went',
      () => campaigns.goneOfPartner('event', 'partner-2'),
      'event_id_1_partner_id_1_created_at_1__id_1',
      1,
    ],
    ['unsettled campaigns of all events', () => campaigns.unsettledSince(new Date()), 'settled_1_event_id_1', 0],
    [
      'tokens of a campaign',
      () => tokens.ofCampaign('event', 'campaign-2'),
      'event_id_1_partner_campaign_id_1_created_at_-1__id_-1',
      1,
    ],
    ['a token by its hash', () => tokens.findByHash('hash-2'), 'hash_1', 1],
  ])('%s', async (_name, run, index, most) => {
    const { indexes, read } = await explained(run)
    expect(indexes).toEqual([index])
    expect(read).toBeLessThanOrEqual(most)
  })

  test('all campaigns of an event, and whether a type has any, walk an index of the event', async () => {
    for (const run of [() => campaigns.ofEvent('event'), () => campaigns.hasType('event', 'type-0')]) {
      const { indexes } = await explained(run)
      expect(indexes).toEqual([expect.stringMatching(/^event_id_1_/)])
    }
  })
})
