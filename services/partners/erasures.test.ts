// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { describe, expect, inject, test } from 'vitest'
import { TestCampaign } from './testing/test-campaign.ts'
import { beginBatch, sendAll } from './testing/test-sending.ts'

const system = await sharedSystem()

const EMAIL = 'Grace.Quillhopper@example.org'
const address = EMAIL.toLowerCase()
const grace = {
  email: EMAIL,
  first_name: 'Gracequill',
  last_name: 'Hopperstone',
  guest_metadata: [{ name: 'rank', value: 'Rearadmiral' }],
}
const other = 'other@example.org'

describe('an erasure of a recipient', () => {
  const erase = async ({ testEvent }: TestCampaign): Promise<{ data: string; outcome: string; count: number }[]> => {
    const erasure = await testEvent.make('erasures.json', { by: 'email', value: EMAIL.toUpperCase() })
    expect(erasure.state).toBe('done')
    return erasure.report.map(({ reason: _, ...entry }: { reason: string }) => entry)
  }
  const found = async (): Promise<string[]> => {
    const text = await storedText(inject('mongodbUrl'), system.namespace)
    return [EMAIL, address, 'Gracequill', 'Hopperstone', 'Rearadmiral'].filter((trace) => text.includes(trace))
  }

  test('leaves its invitations as numbers, and hashes by which nobody writes to it again', async () => {
    const campaign = await TestCampaign.open(system)
    await campaign.invite([grace, other])
    await sendAll(campaign)
    const [mine] = (await campaign.invitations()).filter(({ email }) => email === EMAIL)
    for (const event of [{ type: 'bounced', reason: `550 <${address}>: no such user` }, { type: 'unsubscribed' }]) {
      const answer = await system.api('POST', 'mail_events.json', [{ invitation_id: mine._id, ...event }])
      expect(answer.status, answer.text).toBe(201)
    }
    await campaign.testEvent.make('blocked_recipients.json', { address: other })
    const before = await campaign.counters()

    expect(await erase(campaign)).toEqual([
      { data: 'partners.partner_invitations', outcome: 'blanked', count: 1 },
      { data: 'partners.suppressions', outcome: 'blanked', count: 1 },
      { data: 'partners.unsubscriptions', outcome: 'blanked', count: 1 },
    ])
    expect(await found()).toEqual([])
    expect(await campaign.counters()).toEqual(before)
    const further = await TestCampaign.open(system, { testEvent: campaign.testEvent })
    await further.invite([{ email: EMAIL }])
    expect(await sendAll(further)).toEqual([])
    // On a slow machine the second pass may have erased it already.
    expect(await further.invitations()).toMatchObject([{ state: 'blocked' }])
    await erase(further)
  })

  test('is not written to any more if its invitation was still queued: it is blocked, and its place in the quota is free', async () => {
    const campaign = await TestCampaign.open(system, { quota: 2 })
    await campaign.invite([grace, other])
    await erase(campaign)
    const { ids, sent } = await beginBatch(campaign)
    await sent(ids)
    const invitations = await campaign.invitations()
    expect(invitations.map(({ email, state }) => [email.replace(/-.*/, ''), state]).sort()).toEqual([
      ['erased', 'blocked'],
      [other, 'sent'],
    ])
    expect(await campaign.counters()).toMatchObject({ used: 1, left: 1, blacklisted_recipients: 1 })
    expect(await found()).toEqual([])
  })

  test('who gets the answers to the e-mails is found too: campaigns forget the address, the event keeps it until it has another', async () => {
    const testEvent = await TestEvent.open(system, { reply_to_email: EMAIL })
    const campaign = await TestCampaign.open(system, { testEvent })
    const { report } = await testEvent.make('erasures.json', { by: 'email', value: EMAIL.toUpperCase() })
    expect(report).toEqual([
      {
        data: 'guests.events',
        outcome: 'kept',
        count: 1,
        reason: expect.stringContaining('set another reply_to_email'),
      },
      { data: 'partners.partner_campaigns', outcome: 'blanked', count: 1, reason: expect.any(String) },
    ])
    const campaigns = await testEvent.read(`invitation_types/${campaign.type}/partner_campaigns.json`)
    expect(campaigns).toMatchObject([{ _id: campaign.id, reply_to: null }])
    const query = new URLSearchParams({ by: 'email', value: EMAIL, after: 'guests:guests.events' })
    expect(await testEvent.read(`personal_documents.json?${query}`)).toMatchObject({
      data: 'guests.events',
      items: [{ _id: testEvent.id, reply_to_email: EMAIL }],
    })
    const other = { reply_to_email: 'desk@example.org' }
    expect((await system.api('PUT', `events/${testEvent.id}.json`, other)).status).toBe(204)
    expect((await testEvent.make('erasures.json', { by: 'email', value: EMAIL })).report).toEqual([])
    expect(await found()).toEqual([])
  })
})
