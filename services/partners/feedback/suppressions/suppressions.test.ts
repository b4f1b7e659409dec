import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds, slow } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'
import { sendAll } from '../../testing/test-sending.ts'

const system = await sharedSystem()

const PATH = 'suppressions.json'
const BOUNCE = { type: 'bounced', reason: '550 5.1.1 No such user' }
const COMPLAINT = { type: 'complained' }

describe('suppressions', () => {
  const report = async (...events: object[]) => {
    const answer = await system.api('POST', 'mail_events.json', events)
    expect(answer.status, answer.text).toBe(201)
  }
  /** A campaign that has sent e-mails; returns their invitations by address too. */
  const sentTo = async (count: number) => {
    const campaign = await TestCampaign.open(system)
    await campaign.invite(addresses(count))
    await sendAll(campaign)
    const byAddress = new Map((await campaign.invitations()).map(({ email, _id }) => [email, _id as string]))
    return { campaign, idOf: (number: number) => byAddress.get(`guest-${number}@example.org`) }
  }
  /** Invites addresses in a further campaign of the event. Returns those that got an e-mail. */
  const sentAgainTo = async ({ testEvent }: TestCampaign, invited: string[]) => {
    const campaign = await TestCampaign.open(system, { testEvent })
    await campaign.invite(invited)
    await sendAll(campaign)
    return (await campaign.invitations('&state=sent')).map(({ email }) => email).sort()
  }

  test('addresses of hard bounces and complaints are listed, newest first, by page, or one by its address in any letters', async () => {
    const { campaign, idOf } = await sentTo(3)
    const { testEvent } = campaign
    await report({ invitation_id: idOf(0), ...BOUNCE })
    await report({ invitation_id: idOf(1), ...COMPLAINT })
    await report({ invitation_id: idOf(2), ...BOUNCE, bounce_type: 'soft' })
    const all = await testEvent.read(PATH)
    expect(all).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        address: 'guest-1@example.org',
        cause: 'complained',
        event_id: testEvent.id,
        created_at: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ address: 'guest-0@example.org', cause: 'bounced' }),
    ])
    expect(await testEvent.read(`${PATH}?per_page=1&page=2`)).toEqual([all[1]])
    expect(await testEvent.read(`${PATH}?address=Guest-0@EXAMPLE.org`)).toEqual([all[1]])
    expect(await testEvent.read(`${PATH}?address=guest-2@example.org`)).toEqual([])
    expect(await testEvent.read(`${PATH}?address=nothing`)).toEqual([])
  })

  test('one that was lifted gets e-mails again, and the report that led to it does not bring it back', async () => {
    const { campaign, idOf } = await sentTo(2)
    const { testEvent } = campaign
    const bounces = [0, 1].map((number) => ({ invitation_id: idOf(number), ...BOUNCE }))
    await report(...bounces)
    const [lifted] = await testEvent.read(`${PATH}?address=guest-0@example.org`)
    await testEvent.remove(`suppressions/${lifted._id}.json`)
    await report(...bounces)
    expect(await testEvent.read(PATH)).toMatchObject([{ address: 'guest-1@example.org' }])
    expect(await sentAgainTo(campaign, addresses(2))).toEqual(['guest-0@example.org'])
    expect((await testEvent.api('DELETE', `suppressions/${lifted._id}.json`)).status).toBe(404)
  })

  test('after a complaint nobody can lift it, also if a bounce came first', async () => {
    const { campaign, idOf } = await sentTo(2)
    const { testEvent } = campaign
    await report({ invitation_id: idOf(0), ...COMPLAINT })
    await report({ invitation_id: idOf(1), ...BOUNCE })
    await report({ invitation_id: idOf(1), ...COMPLAINT })
    const all = await testEvent.read(PATH)
    expect(all).toMatchObject([{ cause: 'complained' }, { cause: 'complained' }])
    for (const { _id } of all) {
      expect((await testEvent.api('DELETE', `suppressions/${_id}.json`)).status).toBe(409)
    }
    expect(await testEvent.read(PATH)).toEqual(all)
    expect(await sentAgainTo(campaign, addresses(2))).toEqual([])
  })

  test('an address that bounces and is lifted at once ends as one of both, and a complaint wins', slow, async () => {
    for (let round = 0; round < rounds(4, 100); round++) {
      const { campaign, idOf } = await sentTo(1)
      const { testEvent } = campaign
      await report({ invitation_id: idOf(0), ...BOUNCE })
      const [{ _id }] = await testEvent.read(PATH)
      const lift = () => testEvent.api('DELETE', `suppressions/${_id}.json`)
      await Promise.all([lift(), lift(), report({ invitation_id: idOf(0), ...COMPLAINT }), lift()])
      expect(await testEvent.read(PATH)).toMatchObject([{ address: 'guest-0@example.org', cause: 'complained' }])
    }
  })

  test("another event's are not listed, and 404", async () => {
    const { campaign, idOf } = await sentTo(1)
    await report({ invitation_id: idOf(0), ...BOUNCE })
    const [{ _id }] = await campaign.testEvent.read(PATH)
    const other = await TestEvent.open(system)
    expect(await other.read(PATH)).toEqual([])
    expect(await other.read(`${PATH}?address=guest-0@example.org`)).toEqual([])
    expect((await other.api('DELETE', `suppressions/${_id}.json`)).status).toBe(404)
    expect(await campaign.testEvent.read(PATH)).toHaveLength(1)
  })
})
