import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { expect, inject } from 'vitest'

/** The system of a test. */
export type TestSystem = TestEvent['system']

interface Access {
  token: string
  page_url: string
}

interface CampaignFields {
  partner?: object
  type?: object
  quota?: number
  /** The fields of the campaign's discount code. */
  code?: object
  testEvent?: TestEvent
}

/** A campaign of a new partner, with its access token, and what tests do with it. */
export class TestCampaign {
  readonly testEvent: TestEvent
  readonly partner: string
  readonly type: string
  readonly id: string
  readonly token: string
  /** Where the partner's page begins. */
  readonly page: string
  readonly system: TestSystem

  private constructor(testEvent: TestEvent, partner: string, type: string, id: string, access: Access) {
    this.testEvent = testEvent
    this.system = testEvent.system
    this.partner = partner
    this.type = type
    this.id = id
    this.token = access.token
    this.page = access.page_url
  }

  static async open(
    system: TestSystem,
    { partner, type, quota = 1_000, code, testEvent }: CampaignFields = {},
  ): Promise<TestCampaign> {
    const event = testEvent ?? (await TestEvent.open(system))
    const { _id: partnerId } = await event.make('partners.json', { name: `Acme ${crypto.randomUUID()}`, ...partner })
    return TestCampaign.attach(event, partnerId, { quota, ...(type && { type }), ...(code && { code }) })
  }

  /** Attaches a partner to a new invitation type. */
  static async attach(
    testEvent: TestEvent,
    partner_id: string,
    { quota = 1_000, type, code }: Pick<CampaignFields, 'quota' | 'type' | 'code'> = {},
  ): Promise<TestCampaign> {
    const { _id: typeId } = await testEvent.make('invitation_types.json', { name: 'Evening', ...type })
    const campaign = await testEvent.make(`invitation_types/${typeId}/partner_campaigns.json`, {
      partner_id,
      quota,
      ...code,
    })
    const tokens = `partners/${partner_id}/partner_campaigns/${campaign._id}/partner_access_tokens.json`
    return new TestCampaign(testEvent, partner_id, typeId, campaign._id, await testEvent.make(tokens, {}))
  }

  /** Invites recipients; texts are e-mail addresses. */
  invite(recipients: (string | object)[], init: Parameters<TestSystem['api']>[3] = {}): Promise<Answer> {
    const items = recipients.map((each) => (typeof each === 'string' ? { email: each } : each))
    return this.system.api('POST', `partners/${this.token}/invitations/batch_create.json`, items, {
      token: '',
      ...init,
    })
  }

  /** The invitations, as the partner sees them. */
  async invitations(query = ''): Promise<Answer['body'][]> {
    const all = []
    for (let page = 1; ; page++) {
      const path = `partners/${this.token}/invitations.json?page=${page}${query}`
      const answer = await this.system.api('GET', path, undefined, { token: '' })
      expect(answer.status, answer.text).toBe(200)
      if (answer.body.length === 0) return all
      all.push(...answer.body)
    }
  }

  /** Quota and counters, as the partner sees them. */
  async counters(): Promise<Answer['body']> {
    const answer = await this.system.api('GET', `partners/${this.token}/campaign.json`, undefined, { token: '' })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }

  /** The partner, as the organizer sees it. */
  organizersView(): Promise<Answer['body']> {
    return this.testEvent.read(`partners/${this.partner}.json`)
  }

  /** Makes the partner's leases expire, so that the next maintenance ends them. Short leases would end before a busy machine has used them. */
  async expireLeases(): Promise<void> {
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const db = mongo.db(`${this.system.namespace}_partners`)
    const { modifiedCount } = await db
      .collection<{ _id: string }>('partners')
      .updateOne({ _id: this.partner, 'notes.kind': 'claim' }, { $set: { 'notes.$[].at': new Date(0) } })
    await mongo.close()
    expect(modifiedCount).toBe(1)
  }
}

/** Different e-mail addresses. */
export function addresses(count: number, prefix = 'guest'): string[] {
  return Array.from({ length: count }, (_, number) => `${prefix}-${number}@example.org`)
}
