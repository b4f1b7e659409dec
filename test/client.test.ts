import { beforeAll, expect, test } from 'vitest'
import { type Client, connect, type EventItem } from '../clients/typescript/client.ts'
import { sharedSystem } from './harness/shared-system.ts'
import { proxyTo } from './harness/tcp-proxy.ts'

const system = await sharedSystem()

// Walks the main ways with the TypeScript client alone, as an integrator does.

let organizer: Client
let event: EventItem
let path: { event_id: string }

beforeAll(async () => {
  organizer = connect({ url: system.url, token: system.auth_token })
  const body = { title: 'Fair', account_id: system.account_id }
  event = (await organizer.POST('/api/v1/events.json', { body })).data
  path = { event_id: event._id }
})

async function category(name: string): Promise<string> {
  const { data } = await organizer.POST('/api/v1/events/{event_id}/guest_categories.json', {
    params: { path },
    body: { name },
  })
  return data._id
}

/** A check-in point that the guests of a category may enter `max_allowed_accesses` times. */
async function door(guest_category_id: string, max_allowed_accesses: number): Promise<string> {
  const { data: point } = await organizer.POST('/api/v1/events/{event_id}/accesspoints.json', {
    params: { path },
    body: { name: 'Door' },
  })
  await organizer.POST('/api/v1/events/{event_id}/guest_category_accesspoints.json', {
    params: { path },
    body: { guest_category_id, accesspoint_id: point._id, max_allowed_accesses },
  })
  return point._id
}

async function guest(guest_category_id: string, uid: string): Promise<string> {
  const { data } = await organizer.POST('/api/v1/events/{event_id}/guests.json', {
    params: { path },
    body: { guest_category_id, uid, last_name: 'Lovelace' },
  })
  return data._id
}

test('a device scans guests one by one and in batches, with a token of its own', async () => {
  const vip = await category('VIP')
  const accesspoint_id = await door(vip, 1)
  await guest(vip, 'ada')
  const { data: issued } = await organizer.POST('/api/v1/tokens.json', {
    body: { name: 'Tablet', scope: 'door', event_id: event._id },
  })
  const device = connect({ url: system.url, token: issued.token })
  const scan = async (guest_uid: string): Promise<number> => {
    const { data } = await device.POST('/api/v1/events/{event_id}/access_controls.json', {
      params: { path },
      body: { accesspoint_id, guest_uid },
    })
    return data.access_status
  }
  expect([await scan('ada'), await scan('ada'), await scan('nobody')]).toEqual([0, 3, 1])

  const batch = ['ada', ''].map((guest_uid) => ({ accesspoint_id, guest_uid, access_stamp: '2026-09-17T18:04:12Z' }))
  const { data, response } = await device.POST('/api/v1/events/{event_id}/access_controls/batch_create.json', {
    params: { path },
    body: batch,
  })
  expect(response.status).toBe(422)
  expect(data.map((item) => ('errors' in item ? Object.keys(item.errors) : item.access_status))).toEqual([
    3,
    ['guest_uid'],
  ])

  const { data: statistics } = await organizer.GET('/api/v1/events/{event_id}/statistics.json', { params: { path } })
  expect([statistics.check_in_count, statistics.checked_in_guest_count]).toEqual([4, 1])
  await expect(device.POST('/api/v1/tokens.json', { body: { name: 'Other', scope: 'door' } })).rejects.toMatchObject({
    status: 403,
    code: 'forbidden',
  })
})

test('an organizer lists, changes and deletes guests', async () => {
  const press = await category('Press')
  const ids = await Promise.all(['g1', 'g2', 'g3'].map((uid) => guest(press, uid)))
  const listed = async (query: object): Promise<string[]> => {
    const { data } = await organizer.GET('/api/v1/events/{event_id}/guests.json', {
      params: { path, query: { 'category[]': [press], ...query } },
    })
    return data.map(({ uid }) => uid)
  }
  expect((await listed({})).toSorted()).toEqual(['g1', 'g2', 'g3'])
  expect([await listed({ page: 2, per_page: 2 }), await listed({ page: 3, per_page: 2 })]).toEqual([
    [expect.stringMatching(/^g/)],
    [],
  ])

  const [id = ''] = ids
  const one = { path: { ...path, id } }
  const change = { params: one, body: { first_name: 'Ada', guest_metadata: [{ name: 'table', value: '7' }] } }
  expect((await organizer.PUT('/api/v1/events/{event_id}/guests/{id}.json', change)).data).toBeUndefined()
  const { data: read } = await organizer.GET('/api/v1/events/{event_id}/guests/{id}.json', {
    params: { ...one, query: { guest_metadata: true } },
  })
  expect(read).toMatchObject({ first_name: 'Ada', guest_metadata: [{ name: 'table', value: '7' }] })
  await organizer.DELETE('/api/v1/events/{event_id}/guests/{id}.json', { params: one })
  await expect(organizer.GET('/api/v1/events/{event_id}/guests/{id}.json', { params: one })).rejects.toMatchObject({
    status: 404,
    code: 'not_found',
    message: 'Not found',
  })
})

test('a partner invites with its own token, within its quota', async () => {
  const guest_category_id = await category('Invited')
  const { data: partner } = await organizer.POST('/api/v1/events/{event_id}/partners.json', {
    params: { path },
    body: { name: 'Royal Society' },
  })
  const { data: type } = await organizer.POST('/api/v1/events/{event_id}/invitation_types.json', {
    params: { path },
    body: { name: 'Evening', guest_category_id },
  })
  const { data: campaign } = await organizer.POST(
    '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns.json',
    { params: { path: { ...path, invitation_type_id: type._id } }, body: { partner_id: partner._id, quota: 1 } },
  )
  const { data: access } = await organizer.POST(
    '/api/v1/events/{event_id}/partners/{partner_id}/partner_campaigns/{partner_campaign_id}/partner_access_tokens.json',
    { params: { path: { ...path, partner_id: partner._id, partner_campaign_id: campaign._id } }, body: {} },
  )
  const inviting = connect({ url: system.url })
  const own = { path: { partner_access_token: access.token } }
  const { data: invitations } = await inviting.POST(
    '/api/v1/partners/{partner_access_token}/invitations/batch_create.json',
    {
      params: own,
      body: [{ email: 'grace@example.org' }, { email: 'joan@example.org' }],
    },
  )
  expect(invitations).toMatchObject([{ email: 'grace@example.org' }, { errors: { quota: ['is used up'] } }])
  const { data } = await inviting.GET('/api/v1/partners/{partner_access_token}/campaign.json', { params: own })
  expect(data).toMatchObject({ quota: 1, left: 0 })
})

test('an exhibitor collects leads with its own token', async () => {
  const visitors = await category('Visitors')
  await guest(visitors, 'charles')
  const { data: exhibitor } = await organizer.POST('/api/v1/events/{event_id}/exhibitors.json', {
    params: { path },
    body: { name: 'Difference Engines' },
  })
  const stand = connect({ url: system.url })
  const { access_token } = exhibitor
  const { data: leads } = await stand.POST('/api/v1/devices/{access_token}/connections/batch_create.json', {
    params: { path: { access_token } },
    body: [{ guest_uid: 'charles', author: 'Ada' }],
  })
  expect(leads).toMatchObject([{ guest_uid: 'charles', exhibitor_id: exhibitor._id }])
  const { data: seen } = await stand.GET('/api/v1/lead_guests/{guest_uid}.json', {
    params: { path: { guest_uid: 'charles' }, query: { access_token } },
  })
  expect(seen).toMatchObject({ uid: 'charles', last_name: 'Lovelace' })
})

test('what was stored while its answer was lost is not stored again', async () => {
  const lost = await category('Lost')
  const proxy = await proxyTo(system.url)
  const passing = connect({ url: proxy.url, token: system.auth_token })
  let dropped = 0
  proxy.watch(() => dropped++ > 0)
  const creating = passing.POST('/api/v1/events/{event_id}/guests.json', {
    params: { path },
    body: { guest_category_id: lost, last_name: 'Hopper' },
  })
  await expect.poll(() => dropped).toBe(1)
  proxy.cut()
  proxy.mend()
  const { data, response } = await creating
  expect(response.headers.get('idempotent-replayed')).toBe('true')
  const { data: guests } = await organizer.GET('/api/v1/events/{event_id}/guests.json', {
    params: { path, query: { 'category[]': [lost] } },
  })
  expect(guests.map(({ _id }) => _id)).toEqual([data._id])
  await proxy.close()
})

test('a gateway that is away is waited for', async () => {
  const proxy = await proxyTo(system.url)
  proxy.cut()
  const reading = connect({ url: proxy.url, token: system.auth_token }).GET('/api/v1/me.json')
  await expect(connect({ url: proxy.url, deadlineMs: 50 }).GET('/api/v1/me.json')).rejects.toMatchObject({
    code: 'unanswered',
  })
  proxy.mend()
  expect((await reading).data.account_id).toBe(system.account_id)
  await proxy.close()
})
