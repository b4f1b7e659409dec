// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { describe, expect, test } from 'vitest'

const system = await sharedSystem()
const SENTENCE = 'The event is archived: nothing in it can be changed'

const put = (event: TestEvent, fields: object): Promise<Answer> =>
  system.api('PUT', `events/${event.id}.json`, fields, { headers: { prefer: 'return=representation' } })

async function archived(event: TestEvent): Promise<void> {
  const { status, body } = await put(event, { archived: true })
  expect([status, body.archived_at]).toEqual([200, expect.stringMatching(/^20/)])
}

async function furnished() {
  const event = await TestEvent.open(system)
  const [category, door] = [await event.category(), await event.point()]
  await event.link(category, door)
  await event.guest(category, 'ada', { last_name: 'Lovelace' })
  return { event, category, door }
}

describe('an archived event', () => {
  test('is read-only: changes of anything in it are 409 with a sentence, reading goes on', async () => {
    const { event, category, door } = await furnished()
    await archived(event)
    const [guest] = await event.read('guests.json')
    const changes: [string, string, object?][] = [
      ['POST', 'guests.json', { guest_category_id: category, last_name: 'Byron' }],
      ['PUT', `guests/${guest._id}.json`, { last_name: 'King' }],
      ['DELETE', `guests/${guest._id}.json`],
      ['POST', 'accesspoints.json', { name: 'Exit' }],
      ['DELETE', `accesspoints/${door}.json`],
      ['POST', 'guest_fields/batch_create.json', [{ key: 'diet' }]],
      ['POST', 'guests/batch_create.json', [{ guest_category_id: category, last_name: 'Byron' }]],
      ['POST', 'guests/batch_update.json', [{ _id: guest._id, last_name: 'Byron' }]],
      ['POST', 'guests/batch_delete.json', [{ _id: guest._id }]],
      ['POST', 'promo_codes.json', { text: 'EARLY' }],
      ['POST', 'partners.json', { name: 'Acme', uid: 'acme' }],
      ['POST', 'devices.json', { name: 'Phone' }],
    ]
    for (const [method, path, body] of changes) {
      const answer = await event.api(method, path, body)
      expect([method, path, answer.status, answer.body]).toEqual([method, path, 409, { error: SENTENCE }])
    }
    expect(await event.read('guests.json')).toEqual([guest])
  })

  test('can be changed only with the request that makes it an event like others again', async () => {
    const { event, category } = await furnished()
    await archived(event)
    const since = (await put(event, { archived: true })).body.archived_at
    for (const fields of [{ title: 'New' }, { title: 'New', archived: true }])
      expect([(await put(event, fields)).status, (await put(event, fields)).body.error]).toEqual([409, SENTENCE])
    expect((await system.api('GET', `events/${event.id}.json`)).body).toMatchObject({
      title: 'Fair',
      archived_at: since,
    })
    expect((await put(event, { title: 'New', archived: false })).body).toMatchObject({
      title: 'New',
      archived_at: null,
    })
    await event.guest(category, 'bob')
  })

  test('takes what devices have kept: check-ins and walk-ins', async () => {
    const { event, door } = await furnished()
    const walkIns = (await event.make('guest_categories.json', { name: 'Walk-ins', walk_in_enabled: true }))._id
    await archived(event)
    expect((await event.scan(door, 'ada')).access_status).toBe(0)
    await event.make('access_controls/batch_create.json', [{ accesspoint_id: door, guest_uid: 'ada' }])
    await event.make('walk_ins.json', { accesspoint_id: door, guest_category_id: walkIns, last_name: 'Byron' })
    const { check_in_count } = (await system.api('GET', `events/${event.id}.json`)).body
    expect(check_in_count).toBe(3)
  })

  test('takes erasures, and can be copied: the copy is not archived', async () => {
    const { event } = await furnished()
    await archived(event)
    await event.make('erasures.json', { by: 'guest_uid', value: 'ada' })
    expect((await event.make('copy.json', {})).archived_at).toBe(null)
  })

  test('is in lists only if they ask for archived events, and in that of a token which is bound to it', async () => {
    const [{ event }, { event: other }] = [await furnished(), await furnished()]
    await archived(event)
    const bound = (await system.api('POST', 'tokens.json', { name: 'bound', scope: 'read', event_id: event.id })).body
    const listed = async (query: string, init = {}): Promise<string[]> =>
      (await system.api('GET', `events.json${query}`, undefined, init)).body.map(({ _id }: { _id: string }) => _id)
    expect(await listed('')).toContain(other.id)
    expect(await listed('')).not.toContain(event.id)
    expect(await listed('?archived=false')).not.toContain(event.id)
    expect(await listed('?archived=true')).toContain(event.id)
    expect(await listed('?archived=true')).not.toContain(other.id)
    expect(await listed('', { token: bound.token })).toEqual([event.id])
  })

  test('takes no further recipients of a partner', async () => {
    const { event, category } = await furnished()
    const type = await event.make('invitation_types.json', { name: 'Evening', guest_category_id: category })
    const partner = await event.make('partners.json', { name: 'Acme', uid: 'acme', quota: 5 })
    const campaigns = `invitation_types/${type._id}/partner_campaigns`
    const campaign = await event.make(`${campaigns}.json`, { partner_id: partner._id, quota: 5 })
    const tokens = `partners/${partner._id}/partner_campaigns/${campaign._id}/partner_access_tokens.json`
    const { token } = await event.make(tokens, { expires_in_seconds: 3_600 })
    await archived(event)
    const path = `partners/${token}/invitations/batch_create.json`
    const answer = await system.api('POST', path, [{ email: 'ada@example.org' }])
    expect([answer.status, answer.body]).toEqual([409, { error: SENTENCE }])
  })
})
