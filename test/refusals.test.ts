import { beforeAll, describe, expect, test } from 'vitest'
import { sharedSystem } from './harness/shared-system.ts'
import { TestEvent } from './harness/test-event.ts'

const system = await sharedSystem()

const POINT = 'is not a check-in point of the event'
const GUEST = 'is not a guest of the event'
const BLANK = "can't be blank"
const TAKEN = 'has already been taken'

/** Errors of the schema and of the handler come in one answer. */
describe('one answer names all errors', () => {
  let testEvent: TestEvent
  let exhibitor: { access_token: string }
  let point: string
  let category: string
  let invitation_type: string

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
    point = await testEvent.point()
    await testEvent.link(category, point)
    await testEvent.guest(category, 'ada')
    exhibitor = await testEvent.make('exhibitors.json', { name: 'Acme' })
    await testEvent.make('promo_codes.json', { text: 'TAKEN' })
    await testEvent.make('partners.json', { name: 'taken', uid: 'taken' })
    await testEvent.make('guest_fields.json', { key: 'taken' })
    invitation_type = (await testEvent.make('invitation_types.json', { name: 'Evening' }))._id
    await testEvent.make(`invitation_types/${invitation_type}/partner_campaigns.json`, {
      partner_id: 'taken',
      quota: 1,
    })
    const other = { token: (await system.account('other')).auth_token }
    const host = await system.api('PUT', 'account.json', { sso_host: 'taken.example.org' }, other)
    expect(host.status).toBe(204)
    await made('contacts.json', { email: 'taken@example.org' })
    await made('contact_fields.json', { key: 'taken' })
    await made('contact_fields.json', { key: 'size', type: 'value_list', available_values: ['S', 'M'] })
  })

  const made = async (path: string, body: object): Promise<void> => {
    const answer = await system.api('POST', path, body)
    expect(answer.status, answer.text).toBe(201)
  }
  const ofEvent = (path: string): string => `events/${testEvent.id}/${path}`

  test.each<[string, () => [path: string, body: object, method?: 'PUT'], Record<string, string>]>([
    [
      'an event of another account and without a title',
      () => ['events', { account_id: 'other', platform_event_id: 'unknown' }],
      { title: BLANK, account_id: 'is not your account', platform_event_id: 'is not an event of the account' },
    ],
    [
      'a link of an unknown point and category, whose limit is not a number',
      () => [
        ofEvent('guest_category_accesspoints'),
        { accesspoint_id: 'unknown', guest_category_id: 'unknown', max_allowed_accesses: 'many' },
      ],
      {
        accesspoint_id: POINT,
        guest_category_id: 'is not a guest category of the event',
        max_allowed_accesses: 'is not a whole number',
      },
    ],
    [
      'a second link, whose limit is not a number',
      () => [
        ofEvent('guest_category_accesspoints'),
        { accesspoint_id: point, guest_category_id: category, max_allowed_accesses: 'many' },
      ],
      {
        accesspoint_id: 'is already linked to this guest category',
        max_allowed_accesses: 'is not a whole number',
      },
    ],
    [
      'a check-in without a guest, at an unknown point, with an invalid time',
      () => [ofEvent('access_controls'), { accesspoint_id: 'unknown', access_stamp: 'now' }],
      { guest_uid: BLANK, accesspoint_id: POINT, access_stamp: 'is not a valid date-time' },
    ],
    [
      'a signature of an unknown guest at an unknown point without points',
      () => [ofEvent('signatures'), { accesspoint_id: 'unknown', guest_uid: 'unknown' }],
      { accesspoint_id: POINT, guest_uid: GUEST, points: BLANK },
    ],
    [
      'a discount code with a taken text, an invalid limit, and an amount above 1',
      () => [
        ofEvent('promo_codes'),
        {
          text: 'Taken',
          max_usage: -2,
          amount: 2,
          percentage_of_total: true,
          start_date: '2027-01-02',
          end_date: '2027-01-01',
        },
      ],
      {
        text: TAKEN,
        max_usage: 'must be greater than or equal to -1',
        amount: 'must be less than or equal to 1, as a share of the total',
        end_date: "can't be before start_date",
      },
    ],
    [
      'a partner whose name and uid are taken',
      () => [ofEvent('partners'), { name: 'taken', uid: 'taken' }],
      { name: TAKEN, uid: TAKEN },
    ],
    [
      'a partner whose name is taken, without a quota',
      () => [ofEvent('partners'), { name: 'taken', recipients_quota: -2 }],
      { name: TAKEN, recipients_quota: 'must be greater than or equal to -1' },
    ],
    [
      'a campaign of an unknown partner without a quota',
      () => [ofEvent(`invitation_types/${invitation_type}/partner_campaigns`), { partner_id: 'unknown' }],
      { partner_id: 'is not a partner of the event', quota: BLANK },
    ],
    [
      'a second campaign of a partner without a quota',
      () => [ofEvent(`invitation_types/${invitation_type}/partner_campaigns`), { partner_id: 'taken' }],
      { partner_id: TAKEN, quota: BLANK },
    ],
    [
      'a guest field with a taken key and an unknown type',
      () => [ofEvent('guest_fields'), { key: 'taken', type: 'x' }],
      { key: TAKEN, type: 'is not one of text, file, value_list' },
    ],
    [
      'a contact with a taken address, a short password and invalid values of its fields',
      () => ['contacts', { email: 'Taken@example.org', is_blocked: 'x', password: 'short', size: 'XL' }],
      {
        email: TAKEN,
        is_blocked: 'is not true or false',
        password: 'is too short (minimum is 8 characters)',
        size: 'is not one of S, M',
      },
    ],
    [
      'a contact field with a taken key and an unknown type',
      () => ['contact_fields', { key: 'taken', type: 'x' }],
      { key: TAKEN, type: 'is not one of text, value_list' },
    ],
    [
      'an app without a name, with a forbidden redirect address',
      () => ['oauth_apps', { redirect_uris: ['http://example.org/'] }],
      { name: BLANK, 'redirect_uris.0': expect.any(String) },
    ],
    [
      'a token without a name, for an unknown event',
      () => ['tokens', { scope: 'door', event_id: 'unknown' }],
      { name: BLANK, event_id: 'is not an event of the account' },
    ],
    [
      'an account with a taken host and an invalid colour',
      () => ['account', { sso_host: 'Taken.example.org', color: 'blue' }, 'PUT'],
      { sso_host: TAKEN, color: 'is not valid' },
    ],
    [
      'a webhook for an unknown event, of an unknown type',
      () => ['webhooks', { url: 'https://user@example.org/', event_types: ['x'], event_id: 'unknown' }],
      {
        url: "can't hold a user name or password",
        'event_types.0': expect.stringMatching(/^is not one of /),
        event_id: 'is not an event of the account',
      },
    ],
  ])('%s', async (_name, request, errors) => {
    const [path, body, method = 'POST'] = request()
    const { status, body: answered } = await system.api(method, `${path}.json`, body)
    const expected = Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, [message]]))
    expect([status, answered]).toEqual([422, { errors: expected }])
  })

  test('a drawing with thousands of values does not hide errors of other fields', async () => {
    const line = { x1: '1', y1: '2', x2: '3', y2: 'four' }
    const points = { width: '1', height: '1', lines: Array.from({ length: 3_000 }, () => line) }
    const { status, body } = await testEvent.api('POST', 'signatures.json', { accesspoint_id: 'unknown', points })
    expect([status, body]).toEqual([
      422,
      { errors: { accesspoint_id: [POINT], guest_uid: [BLANK], 'points.lines.0.y2': ['is not valid'] } },
    ])
  })

  test('a list with many wrong entries does not hide errors of other fields', async () => {
    const guest_metadata = Array.from({ length: 30 }, () => ({ name: '', value: 'x' }))
    const { status, body } = await testEvent.api('POST', 'guests.json', {
      guest_metadata,
      rsvp_status: 'x',
      uid: 'ada',
    })
    expect([status, body.errors]).toEqual([
      422,
      expect.objectContaining({
        guest_category_id: [BLANK],
        rsvp_status: ['is not one of not_replied, accepted, declined'],
        uid: [TAKEN],
        'guest_metadata.0.name': [BLANK],
      }),
    ])
  })

  test('in a batch too, for each item', async () => {
    const leads = `devices/${exhibitor.access_token}/connections/batch_create`
    for (const [path, item, errors] of [
      [
        ofEvent('access_controls/batch_create'),
        { accesspoint_id: 'unknown' },
        { accesspoint_id: [POINT], guest_uid: [BLANK] },
      ],
      [
        ofEvent('signatures/batch_create'),
        { accesspoint_id: 'unknown', guest_uid: 'unknown' },
        { accesspoint_id: [POINT], guest_uid: [GUEST], points: [BLANK] },
      ],
      [
        ofEvent('guest_fields/batch_create'),
        { key: 'taken', type: 'x' },
        { key: [TAKEN], type: ['is not one of text, file, value_list'] },
      ],
      [leads, { guest_uid: 'unknown' }, { guest_uid: [GUEST], author: [BLANK] }],
    ] as const) {
      const { status, body } = await system.api('POST', `${path}.json`, [item, 5])
      expect([status, body]).toEqual([422, [{ errors }, { errors: { base: ['is not an object'] } }]])
    }
  })

  test('a signature without points is 422 with the name of the field in JSON, XML and forms, by itself and in a batch', async () => {
    const XML = { headers: { 'content-type': 'application/xml; charset=utf-8' } }
    const FORM = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const [one, many] = [ofEvent('signatures'), ofEvent('signatures/batch_create')]
    const body = { accesspoint_id: point, guest_uid: 'ada' }
    const element = `<accesspoint-id>${point}</accesspoint-id><guest-uid>ada</guest-uid>`
    const errors = { points: [BLANK] }
    for (const answer of [
      await system.api('POST', `${one}.json`, { signature: body }),
      await system.api('POST', `${one}.json`, `signature[accesspoint_id]=${point}&signature[guest_uid]=ada`, FORM),
    ]) {
      expect([answer.status, answer.body]).toEqual([422, { errors }])
    }
    for (const answer of [
      await system.api('POST', `${many}.json`, [body]),
      await system.api(
        'POST',
        `${many}.json`,
        `signatures[][accesspoint_id]=${point}&signatures[][guest_uid]=ada`,
        FORM,
      ),
    ]) {
      expect([answer.status, answer.body]).toEqual([422, [{ errors }]])
    }
    const sentence = "<errors><error>Points can't be blank</error></errors>"
    const xml = await system.api('POST', `${one}.xml`, `<signature>${element}</signature>`, XML)
    expect([xml.status, xml.text]).toEqual([422, expect.stringContaining(sentence)])
    const document = `<signatures type="array"><signature>${element}</signature></signatures>`
    const batch = await system.api('POST', `${many}.xml`, document, XML)
    expect([batch.status, batch.text]).toEqual([
      422,
      expect.stringContaining(`<signatures type="array">${sentence}</signatures>`),
    ])
  })
})
