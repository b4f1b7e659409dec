import { type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestCampaign } from '../../testing/test-campaign.ts'
import { openCampaign, TestInvitee } from '../../testing/test-invitee.ts'

const system = await sharedSystem()

// Takes half a minute: each rule is one of pages, campaigns and guests of a whole system.
describe('the registration of an invited recipient', () => {
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await receiver?.close()
  })

  /** Marks fields of the event of a campaign for registration. Returns their names in the form. */
  async function ask({ testEvent }: TestCampaign, fields: object[]): Promise<string[]> {
    const made = await testEvent.make(
      'guest_fields/batch_create.json',
      fields.map((field) => ({ use_in_registration: true, ...field })),
    )
    return made.map(({ _id }: { _id: string }) => `field_${_id}`)
  }

  const metadataOf = ({ guest_metadata }: { guest_metadata: { name: string; value: string }[] }) =>
    Object.fromEntries(guest_metadata.map(({ name, value }) => [name, value]))

  test(
    'asks for the marked fields of the event and for the names, with what the partner gave; the guest has what was given',
    slow,
    async () => {
      const campaign = await openCampaign(system)
      const [diet = '', shirt = '', seat = ''] = await ask(campaign, [
        { key: 'diet', label: 'Diet <&>' },
        { key: 'shirt', type: 'value_list', available_values: ['S', 'M & "L"'] },
        { key: 'seat' },
        { key: 'table', use_in_registration: false },
        { key: 'hat', type: 'value_list' },
        { key: 'partner' },
      ])
      const invitee = await TestInvitee.invite(campaign, {
        first_name: 'Ada',
        last_name: 'Byron',
        guest_metadata: { diet: 'none', shirt: 'M & "L"', seat: '1', table: '7' },
      })
      const { text } = await invitee.open()
      expect(text).toContain('Diet &lt;&amp;&gt;</label>')
      expect(text).toMatch(/name="first_name"[^>]* value="Ada"/)
      expect(text).toMatch(/name="last_name"[^>]* value="Byron"/)
      expect(text).toMatch(new RegExp(`name="${diet}"[^>]* value="none"`))
      expect(text).toContain('<option value="M &amp; &quot;L&quot;" selected>M &amp; &quot;L&quot;</option>')
      expect(text.match(/name="field_/g)).toHaveLength(3)

      const given = { last_name: ' Lovelace ', [diet]: 'vegan', [shirt]: 'S', [seat]: '' }
      expect((await invitee.answer('accepted', given)).status).toBe(200)
      const [guest, ...more] = await invitee.guests()
      expect(more).toEqual([])
      expect(guest).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' })
      expect(metadataOf(guest)).toMatchObject({ diet: 'vegan', shirt: 'S', table: '7', campaign: 'Evening' })
      expect(metadataOf(guest)).not.toHaveProperty('seat')

      await invitee.answer('declined')
      expect((await invitee.open()).text).toMatch(new RegExp(`name="${diet}"[^>]* value="vegan"`))
      await campaign.testEvent.change(`guests/${guest._id}.json`, {
        guest_metadata: [...guest.guest_metadata, { name: 'note', value: 'front row' }],
      })
      await invitee.answer('accepted', { ...given, [diet]: 'none' })
      const [again] = await invitee.guests()
      expect(again).toMatchObject({ _id: guest._id, rsvp_status: 'accepted' })
      expect(metadataOf(again)).toMatchObject({ diet: 'none', note: 'front row' })
    },
  )

  test('with a value that is missing, too long or not of its list: 422, each field is named, all input stays and no guest is made', async () => {
    const campaign = await openCampaign(system)
    const [diet = '', shirt = '', seat = ''] = await ask(campaign, [
      { key: 'diet', is_required: true },
      { key: 'shirt', type: 'value_list', available_values: ['S'] },
      { key: 'seat', label: 'Seat' },
    ])
    const invitee = await TestInvitee.invite(campaign)
    const long = 'x'.repeat(1_001)
    const { status, text } = await invitee.answer('accepted', {
      first_name: '"><script>',
      [diet]: ' ',
      [shirt]: 'XXL',
      [seat]: long,
    })
    expect(status).toBe(422)
    for (const name of [diet, shirt, seat]) {
      expect(text).toMatch(new RegExp(`name="${name}"[^>]* aria-invalid="true" aria-describedby="${name}-problem"`))
      expect(text).toContain(`id="${name}-problem"`)
      expect(text).toContain(`<a href="#${name}">`)
    }
    expect(text).toMatch(/name="first_name"[^>]* aria-invalid="false"[^>]* value="&quot;&gt;&lt;script&gt;"/)
    expect(text).toContain(`value="${long}"`)
    expect([await invitee.guests(), (await invitee.invitation()).answer]).toEqual([[], null])
    expect((await invitee.answer('declined', { [shirt]: 'XXL' })).status).toBe(200)
    expect((await invitee.answer('accepted', { [diet]: 'vegan' })).status).toBe(200)
    expect(await invitee.guests()).toHaveLength(1)
  })

  test('is that of the first acceptance of twenty at once', slow, async () => {
    const campaign = await openCampaign(system)
    const [diet = ''] = await ask(campaign, [{ key: 'diet' }])
    const invitee = await TestInvitee.invite(campaign)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        invitee.answer('accepted', { first_name: `Ada ${index}`, [diet]: `diet ${index}` }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const [guest, ...more] = await invitee.guests()
    expect(more).toEqual([])
    expect(metadataOf(guest).diet).toBe(guest.first_name.replace('Ada', 'diet'))
  })

  test('is not asked for while rsvp_enabled is false: the page says so, and an answer is 409', async () => {
    const campaign = await openCampaign(system, { category: { rsvp_enabled: false } })
    const invitee = await TestInvitee.invite(campaign)
    const { status, text } = await invitee.open()
    expect([status, text]).toEqual([200, expect.stringContaining('No reply is needed.')])
    expect(text).not.toContain('<form')
    const answers = [await invitee.answer('accepted'), await invitee.answer('declined')]
    expect(answers.map((each) => each.status)).toEqual([409, 409])
    expect([await invitee.guests(), (await invitee.invitation()).answer]).toEqual([[], null])
  })

  test('its page has the colour of the account', async () => {
    const campaign = await openCampaign(system)
    const invitee = await TestInvitee.invite(campaign)
    expect((await system.api('PUT', 'account.json', { color: '#a1b2c3' })).status).toBe(204)
    expect((await invitee.open()).text).toContain('background:#a1b2c3')
  })

  describe('which is moderated', () => {
    const moderated = () => openCampaign(system, { category: { moderated_registrations_enabled: true } })

    test('waits for the organizer: the page says so, and there is no guest; lists find it', async () => {
      const campaign = await moderated()
      const [invitee, other] = [await TestInvitee.invite(campaign), await TestInvitee.invite(campaign)]
      const { status, text } = await invitee.answer('accepted', { first_name: 'Ada' })
      expect([status, text]).toEqual([
        200,
        expect.stringContaining('The organizer still has to approve your registration'),
      ])
      expect(text).not.toContain('<img')
      expect(await invitee.guests()).toEqual([])
      const waiting = '?registration_state=pending'
      expect(await invitee.invitation(waiting)).toMatchObject({ answer: 'accepted', registration_state: 'pending' })
      expect(await other.invitation(waiting)).toBeUndefined()
      expect(await campaign.invitations('&registration_state=pending')).toMatchObject([{ _id: invitee.id }])
      expect(await campaign.invitations('&registration_state=approved')).toEqual([])
    })

    test('is published to webhooks when it begins to wait, once, with what was given; partners do not see that', async () => {
      const campaign = await moderated()
      const fields = { url: receiver.url, event_types: ['registration.pending'], event_id: campaign.testEvent.id }
      expect((await system.api('POST', 'webhooks.json', fields)).status).toBe(201)
      const [diet = ''] = await ask(campaign, [{ key: 'diet' }])
      const [one, other] = [await TestInvitee.invite(campaign), await TestInvitee.invite(campaign)]
      const given = { first_name: 'Ada', [diet]: 'vegan' }
      await Promise.all(Array.from({ length: 5 }, () => one.answer('accepted', given)))
      await one.decide('approved')
      await other.answer('accepted')
      const received = await receiver.until((all) => all.length >= 2)
      const byId = new Map(received.map(({ json }) => [json.data._id, json]))
      expect([received.length, byId.size]).toEqual([2, 2])
      const known = { first_name: 'Ada', guest_metadata: [{ name: 'diet', value: 'vegan' }] }
      expect(byId.get(one.id)).toMatchObject({
        type: 'registration.pending',
        data: { _id: one.id, answer: 'accepted', registration_state: 'pending', ...known },
      })
      expect(byId.get(one.id)?.data).not.toHaveProperty('registration')
      expect(await one.invitation()).toMatchObject(known)
      const own = (await campaign.invitations()).find(({ _id }) => _id === one.id)
      expect(own).toMatchObject({ first_name: null, guest_metadata: [] })
    })

    test(
      'becomes a guest once the organizer approves it, twenty times at once too, with what was given',
      slow,
      async () => {
        const invitee = await TestInvitee.invite(await moderated())
        await invitee.answer('accepted', { first_name: 'Ada' })
        const statuses = await Promise.all(Array.from({ length: 20 }, () => invitee.decide('approved')))
        expect(statuses).toEqual(Array(20).fill(204))
        expect(await invitee.guests()).toMatchObject([{ first_name: 'Ada', rsvp_status: 'accepted' }])
        expect((await invitee.open()).text).toContain('<img')
        expect(await invitee.decide('rejected')).toBe(409)
        await invitee.answer('declined')
        expect(await invitee.guests()).toMatchObject([{ rsvp_status: 'declined' }])
        // Approved once, it needs no further approval.
        await invitee.answer('accepted')
        expect(await invitee.guests()).toMatchObject([{ rsvp_status: 'accepted' }])
      },
    )

    test('is over once the organizer rejects it: an answer is 409; it can still be approved', async () => {
      const invitee = await TestInvitee.invite(await moderated())
      expect([await invitee.decide('approved'), await invitee.decide('rejected')]).toEqual([409, 409])
      await invitee.answer('accepted')
      expect([await invitee.decide('rejected'), await invitee.decide('rejected')]).toEqual([204, 204])
      expect((await invitee.open()).text).toContain('The organizer did not approve your registration.')
      expect([(await invitee.answer('accepted')).status, (await invitee.answer('declined')).status]).toEqual([409, 409])
      expect(await invitee.guests()).toEqual([])
      expect(await invitee.decide('approved')).toBe(204)
      expect(await invitee.guests()).toHaveLength(1)
    })

    test('does not wait any more once the recipient declines', async () => {
      const invitee = await TestInvitee.invite(await moderated())
      await invitee.answer('accepted')
      await invitee.answer('declined')
      expect(await invitee.invitation()).toMatchObject({ answer: 'declined', registration_state: null })
      expect([await invitee.decide('approved'), await invitee.decide('rejected')]).toEqual([409, 409])
      expect(await invitee.guests()).toEqual([])
    })

    test('approved and declined at once: there is no guest, or one who has declined', slow, async () => {
      const campaign = await moderated()
      const invitees = await Promise.all(Array.from({ length: 20 }, () => TestInvitee.invite(campaign)))
      await Promise.all(invitees.map((each) => each.answer('accepted')))
      const decisions = await Promise.all(
        invitees.map(async (each) => {
          const [status, page] = await Promise.all([each.decide('approved'), each.answer('declined')])
          expect(page.status).toBe(200)
          return status
        }),
      )
      const approved = decisions.filter((status) => status === 204).length
      const guests = await invitees[0]?.guests()
      expect(guests?.every(({ rsvp_status }) => rsvp_status === 'declined')).toBe(true)
      expect(guests?.length).toBeLessThanOrEqual(approved)
      for (const each of invitees) expect((await each.invitation()).answer).toBe('declined')
    })

    test('the event lists its registrations of all campaigns, with what was given, and is where they are decided', async () => {
      const campaign = await moderated()
      const { testEvent } = campaign
      const [{ _id: guest_category_id }] = await testEvent.read('guest_categories.json')
      const other = await TestCampaign.open(system, { testEvent, type: { guest_category_id } })
      const elsewhere = await TestInvitee.invite(await moderated())
      const [one, two, silent] = [
        await TestInvitee.invite(campaign),
        await TestInvitee.invite(other),
        await TestInvitee.invite(other),
      ]
      const [diet = ''] = await ask(campaign, [{ key: 'diet' }])
      await one.answer('accepted', { first_name: 'Ada', [diet]: 'vegan' })
      await two.answer('accepted')
      await elsewhere.answer('accepted')
      const listed = async (query = '') =>
        (await testEvent.read(`registrations.json${query}`)).map(({ _id }: { _id: string }) => _id)
      expect(await listed()).toEqual([two.id, one.id])
      expect(await listed('?per_page=1&page=2')).toEqual([one.id])
      expect(await testEvent.read(`registrations/${one.id}.json`)).toMatchObject({
        first_name: 'Ada',
        guest_metadata: [{ name: 'diet', value: 'vegan' }],
        registration_state: 'pending',
        registered_at: expect.stringMatching(/Z$/),
        partner_id: campaign.partner,
        guest_category_id,
      })
      const decide = (id: string, registration_state: string) =>
        testEvent.status('PUT', `registrations/${id}.json`, { registration_state })
      expect(await decide(one.id, 'approved')).toBe(204)
      expect(await one.guests()).toMatchObject([{ first_name: 'Ada' }])
      expect(await listed('?registration_state=pending')).toEqual([two.id])
      expect([await decide(silent.id, 'approved'), await decide(elsewhere.id, 'approved')]).toEqual([404, 404])
    })

    test('a rejection is taken back by `pending`, after which it waits again; an approval is not', async () => {
      const campaign = await moderated()
      const invitee = await TestInvitee.invite(campaign)
      await invitee.answer('accepted')
      const decide = (registration_state: string) =>
        campaign.testEvent.status('PUT', `registrations/${invitee.id}.json`, { registration_state })
      expect([await decide('pending'), await decide('rejected'), await decide('pending')]).toEqual([204, 204, 204])
      expect((await invitee.open()).text).toContain('still has to approve')
      expect([await decide('approved'), await decide('pending')]).toEqual([204, 409])
      expect(await invitee.guests()).toHaveLength(1)
    })

    test('waits no longer once its recipient is erased', async () => {
      const campaign = await moderated()
      const invitee = await TestInvitee.invite(campaign, { email: 'ada@example.org' })
      await invitee.answer('accepted')
      await campaign.testEvent.make('erasures.json', { by: 'email', value: 'ada@example.org' })
      await expect.poll(() => campaign.testEvent.read('registrations.json')).toEqual([])
    })

    test('is decided by a token of the event alone, in JSON and XML, and only where the path leads to it', async () => {
      const [campaign, elsewhere] = [await moderated(), await moderated()]
      const invitee = await TestInvitee.invite(campaign)
      await invitee.answer('accepted')
      const pathOf = ({ type, id }: TestCampaign, of = invitee.id) =>
        `invitation_types/${type}/partner_campaigns/${id}/invitations/${of}`
      const body = { registration_state: 'approved' }
      const { auth_token: token } = await system.account(`other-${crypto.randomUUID().slice(0, 8)}`)
      const refused = [
        await campaign.testEvent.api('PUT', `${pathOf(campaign)}.json`, body, { token }),
        await elsewhere.testEvent.api('PUT', `${pathOf(campaign)}.json`, body),
        await elsewhere.testEvent.api('PUT', `${pathOf(elsewhere)}.json`, body),
        await campaign.testEvent.api('PUT', `${pathOf(campaign, 'x')}.json`, body),
      ]
      expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404])
      const pending = await campaign.testEvent.api('PUT', `${pathOf(campaign)}.json`, { registration_state: 'pending' })
      expect([pending.status, Object.keys(pending.body.errors)]).toEqual([422, ['registration_state']])
      expect(await invitee.guests()).toEqual([])
      const document = '<partner-invitation><registration-state>approved</registration-state></partner-invitation>'
      const approved = await campaign.testEvent.xml('PUT', `${pathOf(campaign)}.xml`, document, {
        prefer: 'return=representation',
      })
      expect([approved.status, approved.text]).toEqual([
        200,
        expect.stringContaining('<registration-state>approved</registration-state>'),
      ])
      expect(await invitee.guests()).toHaveLength(1)
    })
  })

  describe('of a campaign with a discount code', () => {
    /** A campaign with a code, and how often that was used. */
    async function withCode(max_usage: number) {
      const platform = await TestEvent.open(system)
      const code = { platform_promo_code_text: 'half', platform_promo_code_amount: 0.5 }
      const campaign = await openCampaign(system, {
        event: { platform_event_id: platform.id },
        campaign: { code: { ...code, platform_promo_code_max_usage: max_usage } },
      })
      const times_used = async () => (await platform.read('promo_codes.json'))[0].times_used
      return { campaign, platform, times_used }
    }

    test('uses it once, however often it is accepted, and gives it back with the guest', slow, async () => {
      const { campaign, times_used } = await withCode(2)
      const invitee = await TestInvitee.invite(campaign)
      await Promise.all(Array.from({ length: 20 }, () => invitee.answer('accepted')))
      expect(await times_used()).toBe(1)
      const [guest] = await invitee.guests()
      expect(guest.promo_code).toBe('HALF')
      await invitee.answer('declined')
      await invitee.answer('accepted')
      expect(await times_used()).toBe(1)
      await campaign.testEvent.remove(`guests/${guest._id}.json`)
      expect(await times_used()).toBe(0)
    })

    test(
      'never uses it too often, together with guests of the platform event; who comes too late comes without it',
      slow,
      async () => {
        const { campaign, platform, times_used } = await withCode(5)
        const invitees = await Promise.all(Array.from({ length: 8 }, () => TestInvitee.invite(campaign)))
        const guest_category_id = await platform.category()
        const create = (number: number) =>
          platform.api('POST', 'guests.json', { guest_category_id, last_name: `Guest ${number}`, promo_code: 'half' })
        const [pages, made] = await Promise.all([
          Promise.all(invitees.map((each) => each.answer('accepted'))),
          Promise.all([0, 1, 2, 3].map(create)),
        ])
        expect(pages.map(({ status }) => status)).toEqual(Array(8).fill(200))
        const guests = (await invitees[0]?.guests()) ?? []
        expect(guests).toHaveLength(8)
        const ofCampaign = guests.filter(({ promo_code }) => promo_code === 'HALF').length
        const ofPlatform = made.filter(({ status }) => status === 201).length
        expect(ofCampaign + ofPlatform).toBe(5)
        expect(await times_used()).toBe(5)
      },
    )

    test('which the organizer has disabled comes without it', async () => {
      const { campaign, platform, times_used } = await withCode(-1)
      const [code] = await platform.read('promo_codes.json')
      await platform.change(`promo_codes/${code._id}.json`, { is_enabled: false })
      const invitee = await TestInvitee.invite(campaign)
      expect((await invitee.answer('accepted')).status).toBe(200)
      expect(await invitee.guests()).toMatchObject([{ promo_code: null }])
      expect(await times_used()).toBe(0)
    })
  })
})
