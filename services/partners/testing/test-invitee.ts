import { SECRETS_KEY } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { expect } from 'vitest'
import { InvitationLinks } from '../delivery/invitations/links.ts'
import { TestCampaign, type TestSystem } from './test-campaign.ts'

/** The page of an invitation, as a test reads it. */
interface InvitationPage {
  status: number
  text: string
}

/** A recipient of an invitation, who opens its links. */
export class TestInvitee {
  readonly campaign: TestCampaign
  readonly id: string
  readonly link: string

  private constructor(campaign: TestCampaign, id: string) {
    this.campaign = campaign
    this.id = id
    const { system, testEvent } = campaign
    const links = new InvitationLinks({ public_url: system.url, secrets_key: SECRETS_KEY })
    this.link = links.of(testEvent.id, id)
  }

  /** Invites someone. */
  static async invite(campaign: TestCampaign, fields: object = {}): Promise<TestInvitee> {
    const answer = await campaign.invite([{ email: `${crypto.randomUUID()}@example.org`, ...fields }])
    expect(answer.status, answer.text).toBe(201)
    return new TestInvitee(campaign, answer.body[0]._id)
  }

  /** Opens the page. */
  async open(language = 'en'): Promise<InvitationPage> {
    const answer = await fetch(this.link, { headers: { 'accept-language': language } })
    return { status: answer.status, text: await answer.text() }
  }

  /** Sends the form of the page. */
  async answer(answer: 'accepted' | 'declined', fields: Record<string, string> = {}): Promise<InvitationPage> {
    const body = new URLSearchParams({ ...fields, answer })
    const response = await fetch(this.link, { method: 'POST', body, headers: { 'accept-language': 'en' } })
    return { status: response.status, text: await response.text() }
  }

  /** The organizer decides about the registration. */
  async decide(registration_state: 'approved' | 'rejected'): Promise<number> {
    const { type, id, testEvent } = this.campaign
    const path = `invitation_types/${type}/partner_campaigns/${id}/invitations/${this.id}.json`
    return (await testEvent.api('PUT', path, { registration_state })).status
  }

  /** The guests of the event, with their metadata. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  guests(): Promise<any[]> {
    return this.campaign.testEvent.read('guests.json?guest_metadata=true')
  }

  /** The invitation, as the organizer sees it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  async invitation(query = ''): Promise<any> {
    const { type, id, testEvent } = this.campaign
    const all = await testEvent.read(`invitation_types/${type}/partner_campaigns/${id}/invitations.json${query}`)
    return all.find(({ _id }: { _id: string }) => _id === this.id)
  }
}

/** A campaign whose recipients may answer, and become guests of a category with these settings. */
export async function openCampaign(
  system: TestSystem,
  { category = {}, event = {}, campaign = {} }: { category?: object; event?: object; campaign?: object } = {},
): Promise<TestCampaign> {
  const testEvent = await TestEvent.open(system, event)
  const settings = { name: 'Evening guests', rsvp_enabled: true, ...category }
  const { _id: guest_category_id } = await testEvent.make('guest_categories.json', settings)
  return TestCampaign.open(system, { testEvent, type: { guest_category_id }, ...campaign })
}
