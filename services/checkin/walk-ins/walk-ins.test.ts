import { guestDefaults } from '@gatehouse/guests/resources'
import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

describe('walk-ins (8.23)', () => {
  let testEvent: TestEvent
  let category: string
  let closed: string
  let point: string
  let door: { _id: string; token: string }

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    category = (await testEvent.make('guest_categories.json', { name: 'Guests', walk_in_enabled: true }))._id
    closed = await testEvent.category('VIP')
    point = await testEvent.point()
    for (const each of [category, closed]) await testEvent.link(each, point, 1)
    door = await tokenOf('door')
  })

  const tokenOf = async (scope: string): Promise<typeof door> =>
    (await system.api('POST', 'tokens.json', { name: 'A token', scope })).body
  const send = (fields: object, token = door.token): Promise<Answer> => {
    const body = { guest_category_id: category, accesspoint_id: point, ...fields }
    return testEvent.api('POST', 'walk_ins.json', body, { token })
  }
  const guestsNamed = async (name: string): Promise<object[]> => testEvent.read(`guests.json?search=${name}`)
  const checkInsOf = async (uid: string): Promise<object[]> => testEvent.read(`access_controls.json?guest_uid=${uid}`)

  test('make a guest and the check-in', async () => {
    const { status, body, text } = await send({ last_name: 'Lovelace', access_stamp: '2026-05-01T08:00:00Z' })
    expect(status, text).toBe(201)
    const { guest, access_control } = body
    expect(guest).toMatchObject({
      last_name: 'Lovelace',
      source: 'walk_in',
      guest_category_id: category,
      party_size: 1,
    })
    expect(access_control).toMatchObject({
      guest_uid: guest.uid,
      accesspoint_id: point,
      access_status: 0,
      access_stamp: '2026-05-01T08:00:00.000Z',
      persons: 1,
    })
    expect(await guestsNamed('Lovelace')).toMatchObject([{ _id: guest._id }])
    expect(await checkInsOf(guest.uid)).toEqual([access_control])
  })

  test('bring a party as large as the persons who come in', async () => {
    const { guest, access_control } = (await send({ last_name: 'Party', persons: 3 })).body
    expect([guest.party_size, access_control.persons, access_control.access_status]).toEqual([3, 3, 0])
  })

  test('are 403 in a category that does not allow them, and nothing is stored', async () => {
    const { status, body } = await send({ last_name: 'Closed', guest_category_id: closed })
    expect([status, body]).toEqual([403, { error: 'The guest category does not allow walk-ins' }])
    expect(await guestsNamed('Closed')).toEqual([])
  })

  test('are 422 with the names of all wrong fields, and nothing is stored', async () => {
    const unknown = 'f'.repeat(24)
    const wrong = await send({ last_name: 'Wrong', accesspoint_id: unknown, guest_category_id: unknown, persons: 0 })
    expect(wrong.status).toBe(422)
    expect(Object.keys(wrong.body.errors).sort()).toEqual(['accesspoint_id', 'guest_category_id', 'persons'])
    expect(Object.keys((await send({})).body.errors)).toEqual(['last_name'])
    expect(await guestsNamed('Wrong')).toEqual([])
  })

  test('give no rights of their own', async () => {
    const privileges = [{ accesspoint_id: point, access_once: false }]
    const { body } = await send({ last_name: 'Privileged', access_privileges_attributes: privileges })
    expect(body.guest.access_privileges).toEqual([])
  })

  test('are door tokens’ and organizers’, not those of the scope read', async () => {
    expect((await send({ last_name: 'Reader' }, (await tokenOf('read')).token)).status).toBe(403)
    expect((await send({ last_name: 'Admin' }, system.auth_token)).status).toBe(201)
  })

  test('with the same uid from the same token are the same walk-in, whatever else is sent', async () => {
    const first = (await send({ uid: 'again', last_name: 'Again' })).body
    // It is stored a moment later.
    first.guest.checked_in_at = expect.toSatisfy((at) => at === null || at === first.access_control.access_stamp)
    const other = await testEvent.point('Other')
    const second = await send({ uid: 'again', last_name: 'Changed', accesspoint_id: other, persons: 2 })
    expect([second.status, second.body]).toEqual([201, first])
    expect(await checkInsOf('again')).toHaveLength(1)
  })

  test('with the uid of another guest, also of another token’s walk-in, are 422', async () => {
    await testEvent.guest(category, 'listed')
    await send({ uid: 'theirs' }, (await tokenOf('door')).token)
    for (const uid of ['listed', 'theirs']) {
      const { status, body } = await send({ uid })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['uid']])
      expect(await checkInsOf(uid)).toHaveLength(uid === 'theirs' ? 1 : 0)
    }
  })

  test('sent many times at once make one guest and one check-in', async () => {
    for (const uid of ['race 1', 'race 2', 'race 3']) {
      const answers = await Promise.all(Array.from({ length: 12 }, () => send({ uid })))
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201))
      expect(new Set(answers.map(({ body }) => body.guest._id)).size).toBe(1)
      expect(new Set(answers.map(({ body }) => body.access_control._id)).size).toBe(1)
      expect(await checkInsOf(uid)).toMatchObject([{ access_status: 0 }])
    }
  })

  test('whose process died after it had stored the guest are checked in when they are sent again', async () => {
    const uid = 'half'
    const _id = derivedId('walk_in', door._id, testEvent.id, uid)
    const guest = { ...guestDefaults, guest_category_id: category, uid, event_id: testEvent.id, _id }
    await system.bus.call('guests.guests.create_walk_in', {}, Buffer.from(JSON.stringify(guest)))
    expect(await checkInsOf(uid)).toEqual([])
    const { body } = await send({ uid })
    expect(body).toMatchObject({ guest: { _id }, access_control: { access_status: 0 } })
    expect(await checkInsOf(uid)).toEqual([body.access_control])
  })

  test('are found again in a category that allows them no more', async () => {
    const own = (await testEvent.make('guest_categories.json', { name: 'Own', walk_in_enabled: true }))._id
    const walkIn = { uid: 'late', guest_category_id: own }
    const { body } = await send(walkIn)
    await testEvent.change(`guest_categories/${own}.json`, { walk_in_enabled: false })
    expect((await send(walkIn)).body).toEqual(body)
    expect((await send({ ...walkIn, uid: 'later' })).status).toBe(403)
  })

  test('with an Idempotency-Key and no uid are one', async () => {
    const init = { token: door.token, headers: { 'idempotency-key': crypto.randomUUID() } }
    const body = { guest_category_id: category, accesspoint_id: point, last_name: 'Keyed' }
    const [first, second] = [
      await testEvent.api('POST', 'walk_ins.json', body, init),
      await testEvent.api('POST', 'walk_ins.json', body, init),
    ]
    expect(second.body).toEqual(first.body)
    expect(await guestsNamed('Keyed')).toHaveLength(1)
  })

  test('of a device that is bound to check-in points come in there alone, and it may undo them', async () => {
    const other = await testEvent.point('Other')
    const { code } = await testEvent.make('devices.json', { name: 'Phone', accesspoint_ids: [point] })
    const headers = { authorization: `Bearer ${code}` }
    const { token } = (await system.api('POST', 'device_codes/exchange.json', undefined, { token: '', headers })).body
    const { status, body } = await send({ last_name: 'Elsewhere', accesspoint_id: other }, token)
    expect([status, body]).toEqual([403, { error: 'The device is bound to other check-in points' }])
    expect(await guestsNamed('Elsewhere')).toEqual([])
    const { access_control } = (await send({ last_name: 'Here' }, token)).body
    const path = `access_controls/${access_control._id}.json`
    expect(await testEvent.status('DELETE', path, undefined, { token })).toBe(204)
  })

  test('come in XML too', async () => {
    const document = `<walk-in><guest-category-id>${category}</guest-category-id><accesspoint-id>${point}</accesspoint-id><last-name>Xml</last-name></walk-in>`
    const { status, text } = await testEvent.xml('POST', 'walk_ins.xml', document)
    expect(status, text).toBe(201)
    expect(text).toMatch(/<walk-in>.*<guest>.*<source>walk_in<\/source>.*<access-control>/s)
  })

  test('have a flag in their category in the snapshot', async () => {
    const { categories } = await testEvent.read('snapshot.json')
    const flags = categories.map(({ _id, walk_in }: { _id: string; walk_in?: true }) => [_id, walk_in])
    expect(new Map(flags).get(category)).toBe(true)
    expect(categories.find(({ _id }: { _id: string }) => _id === closed)).toEqual({ _id: closed, name: 'VIP' })
  })
})
