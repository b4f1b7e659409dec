// @module-tag slow
import { planOf, type QueryPlan } from '@gatehouse/test/harness/query-plans.ts'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { PartnerAccessTokenStore } from './campaigns/partner-access-tokens/store.ts'
import { nothingYet, PartnerCampaignStore, type StoredCampaign, sortName } from './campaigns/partner-campaigns/store.ts'
import { noneYet } from './campaigns/partners/resource.ts'
import { PartnerStore } from './campaigns/partners/store.ts'
import { UsageStore } from './campaigns/partners/usage-store.ts'
import { BlockedRecipientStore } from './delivery/blocked-recipients/store.ts'
import { GuestMailStore } from './delivery/guest-mails/store.ts'
import { InvitationTypeStore } from './delivery/invitation-types/store.ts'
import { AnswerStore } from './delivery/invitations/answer-store.ts'
import { InvitationStore, type StoredInvitation } from './delivery/invitations/store.ts'
import { type StoredUpload, UploadStore } from './pages/partner-pages/uploads/store.ts'
import { RegistrationStore } from './pages/registrations/store.ts'

const PARTNERS = 600
const TYPES = 4
const OTHER_TYPES = 300
const INVITATIONS = 3_000

/** What the stores really send is caught on its way and explained by the database. */
describe('each list of the partners service is served by an index', () => {
  const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  const db = client.db(`test-${crypto.randomUUID()}`)
  const partners = new PartnerStore(db)
  const types = new InvitationTypeStore(db)
  const campaigns = new PartnerCampaignStore(db)
  const tokens = new PartnerAccessTokenStore(db)
  const invitations = new InvitationStore(db)
  const answers = new AnswerStore(db)
  const registrations = new RegistrationStore(db)
  const blocked = new BlockedRecipientStore(db)
  const usageStore = new UsageStore(db)
  const uploads = new UploadStore(db)
  const guestMails = new GuestMailStore(db)
  let sent: Document[] = []

  beforeAll(async () => {
    await Promise.all(
      [
        ...[partners, types, campaigns, tokens, invitations, answers, registrations, blocked, usageStore, uploads],
        guestMails,
      ].map((each) => each.prepare()),
    )
    const now = new Date()
    const stamps = { created_at: now, updated_at: now }
    const silent = { guest_category_id: null, subject: null, message: null, sender_name: null }
    for (let number = 0; number < TYPES; number++) {
      await types.insert({ _id: `type-${number}`, name: 'Evening', ...silent, event_id: 'event', ...stamps })
    }
    await Promise.all(
      Array.from({ length: OTHER_TYPES }, (_, number) =>
        types.insert({ _id: `other-${number}`, name: 'Evening', ...silent, event_id: `other-${number}`, ...stamps }),
      ),
    )
    for (let from = 0; from < PARTNERS; from += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => furnish(from + index, stamps)))
    }
    await db
      .collection<StoredInvitation>('invitations')
      .insertMany(Array.from({ length: INVITATIONS }, (_, number) => invitation(number, stamps)))
    await Promise.all(
      Array.from({ length: 100 }, (_, number) => {
        const address = `blocked-${number}.example`
        const [_id, event_id] = [`blocked-${number}`, number % 2 === 0 ? 'event' : 'other']
        return blocked.insert({ _id, address, key: address, note: null, event_id, ...stamps })
      }),
    )
    for (let number = 0; number < 50; number++) await uploads.add(upload(`upload-${number}`, number))
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') sent.push(command)
    })
  })
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  /** An upload of one of ten tokens. */
  function upload(_id: string, number: number): StoredUpload {
    const owner = { event_id: 'event', partner_campaign_id: 'campaign-0', token_hash: `hash-${number % 10}` }
    return { _id, ...owner, is_pasted: true, created_at: new Date() }
  }

  /** An invitation of one of ten campaigns; every tenth is still to be sent. */
  function invitation(number: number, { created_at }: { created_at: Date }): StoredInvitation {
    const campaign = Math.floor(number / 10) % 10
    const address = `guest-${number}@example.org`
    const at = new Date(created_at.getTime() - number)
    return {
      _id: `invitation-${number}`,
      event_id: 'event',
      partner_id: `partner-${campaign}`,
      partner_campaign_id: `campaign-${campaign}`,
      email: address,
      address,
      first_name: null,
      last_name: null,
      locale: null,
      guest_metadata: [],
      reason: null,
      sent_at: null,
      answer: null,
      created_at: at,
      updated_at: at,
      reservation: 'reservation',
      postponed: 0,
      ...(number % 3 === 0 && { registration_state: 'pending' }),
      ...(number % 10 === 0 ? { state: 'queued', step: 'waiting', due_at: at } : { state: 'sent', outcome: 'sent' }),
    }
  }

  async function furnish(number: number, stamps: { created_at: Date; updated_at: Date }): Promise<void> {
    const event_id = number % 2 === 0 ? 'event' : 'other'
    const [_id, name] = [`partner-${number}`, `Partner ${number}`]
    const fields = { name, uid: `uid-${number}`, recipients_quota: -1, disable_emails: false }
    const contact = { email: null, locale: null }
    await partners.insert({ _id, ...fields, ...contact, ...noneYet, event_id, ...stamps })
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
  async function explained(run: () => Promise<unknown>): Promise<QueryPlan> {
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
      () => campaigns.hiddenOfPartner('event', 'partner-2'),
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
    ['tokens by their hashes', () => tokens.knownHashes(['hash-2', 'hash-4', 'x']), 'hash_1', 2],
    [
      'a page of invitations',
      () => invitations.page({ event_id: 'event', _id: 'campaign-2' }, { page: 1, per_page: 20 }),
      'event_id_1_partner_campaign_id_1_created_at_-1__id_-1',
      20,
    ],
    [
      'a page of invitations in a state',
      () => invitations.page({ event_id: 'event', _id: 'campaign-2' }, { page: 1, per_page: 20, state: 'queued' }),
      'event_id_1_partner_campaign_id_1_state_1_created_at_-1__id_-1',
      20,
    ],
    [
      'a page of invitations that wait for the organizer',
      () =>
        invitations.page(
          { event_id: 'event', _id: 'campaign-2' },
          { page: 1, per_page: 20, registration_state: 'pending' },
        ),
      'event_id_1_partner_campaign_id_1_registration_state_1_created_at_-1__id_-1',
      20,
    ],
    [
      'a page of registrations of an event',
      () => registrations.page('event', { page: 1, per_page: 20 }),
      'registrations_event_id_1_created_at_-1__id_-1',
      20,
    ],
    [
      'a page of registrations of an event that wait for the organizer',
      () => registrations.page('event', { page: 1, per_page: 20, registration_state: 'pending' }),
      'registrations_event_id_1_registration_state_1_created_at_-1__id_-1',
      20,
    ],
    ['invitations that are due', () => invitations.due('event', 'partner-2', 20), 'partner_id_1_due_at_1', 20],
    ['answers that are not settled', () => answers.answeredBefore(new Date()), 'answer_due_1', 0],
    ['the next partner with waiting ones', () => invitations.partnersDue().next(), 'partner_id_1_due_at_1', 1],
    ['what is blocked', () => blocked.ofEvent('event'), 'event_id_1_created_at_1__id_1', 50],
    [
      'what blocks addresses',
      () => blocked.among('event', ['a@blocked-2.example', 'b@c.example']),
      'event_id_1_key_1',
      1,
    ],
    ['the uploads of a token', () => uploads.add(upload('new', 0)), 'token_hash_1_created_at_-1__id_-1', 6],
    [
      'invitations of an address',
      () => guestMails.invitations('event', 'guest-7@example.org'),
      'event_id_1_address_1',
      1,
    ],
    ['partners with old notes', () => usageStore.notedBefore(new Date()), 'notes.at_1', 0],
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
