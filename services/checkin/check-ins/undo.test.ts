import type { Role } from '@gatehouse/proto/declaring/resource.ts'
import { databaseOf } from '@gatehouse/test/harness/databases.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CheckIn } from './store.ts'

const system = await sharedSystem()

describe('undoing a check-in at the door (8.18)', () => {
  let testEvent: TestEvent
  let point: string
  let category: string
  let door: string

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
    point = await testEvent.point()
    await testEvent.link(category, point, 1)
    door = await tokenOf('door')
  })

  const tokenOf = async (scope: string): Promise<string> =>
    (await system.api('POST', 'tokens.json', { name: 'A token', scope })).body.token
  const scan = (uid: string, token = door): Promise<Answer> =>
    testEvent.api('POST', 'access_controls.json', { accesspoint_id: point, guest_uid: uid }, { token })
  const undo = ({ _id }: { _id: string }, token = door): Promise<Answer> =>
    testEvent.api('DELETE', `access_controls/${_id}.json`, undefined, { token })
  /** Puts a check-in back in time. */
  const age = (_id: string, minutes: number): Promise<unknown> =>
    databaseOf(system, 'checkin')
      .collection<CheckIn>('access_controls')
      .updateOne({ _id }, { $set: { created_at: new Date(Date.now() - minutes * 60_000) } })
  const refusalOf = ({ status, body }: Answer): unknown => [status, body.error]

  const OTHER_TOKEN = [403, 'At the door a check-in can only be undone by the token that made it']
  const TOO_LATE = [403, 'At the door a check-in can only be undone within 15 minutes']

  test('a door token undoes what it made, and the guest may enter again', async () => {
    await testEvent.guest(category, 'ada')
    const checkIn = (await scan('ada')).body
    expect(checkIn).not.toHaveProperty('token_id')
    expect((await scan('ada')).body.access_status).toBe(3)
    expect((await undo(checkIn)).status).toBe(204)
    expect((await undo(checkIn)).status).toBe(404)
    expect((await scan('ada')).body.access_status).toBe(0)
  })

  test('it undoes what it made in a batch, by the server’s clock', async () => {
    const items = [{ accesspoint_id: point, guest_uid: 'nobody', access_stamp: '2026-05-01T08:00:00Z' }]
    const { body } = await testEvent.api('POST', 'access_controls/batch_create.json', items, { token: door })
    expect((await undo(body[0])).status).toBe(204)
  })

  test('it undoes neither what another token made nor what is older than 15 minutes: 403, and it stays', async () => {
    const ofAnother = await testEvent.scan(point, 'nobody')
    expect(refusalOf(await undo(ofAnother))).toEqual(OTHER_TOKEN)
    const [young, old] = [(await scan('nobody')).body, (await scan('nobody')).body]
    await age(young._id, 14)
    await age(old._id, 15.1)
    expect((await undo(young)).status).toBe(204)
    expect(refusalOf(await undo(old))).toEqual(TOO_LATE)
    const left = (await testEvent.all('access_controls.json')).map(({ _id }) => _id)
    expect(left).toEqual(expect.arrayContaining([ofAnother._id, old._id]))
    expect(left).not.toContain(young._id)
  })

  test('a check-in from before tokens were remembered is that of another token', async () => {
    const { body } = await scan('nobody')
    const stored = databaseOf(system, 'checkin').collection<CheckIn>('access_controls')
    await stored.updateOne({ _id: body._id }, { $unset: { token_id: 1 } })
    expect(refusalOf(await undo(body))).toEqual(OTHER_TOKEN)
  })

  test('admin tokens delete any, and read tokens none', async () => {
    const { body } = await scan('nobody')
    await age(body._id, 1_000)
    expect((await undo(body, await tokenOf('read'))).status).toBe(403)
    expect((await undo(body, system.auth_token)).status).toBe(204)
  })

  test('of staff, organizers delete any, and door managers undo their own', async () => {
    const { bus, account_id } = system
    const as = (role: Role, id: string) =>
      bus.call('checkin.access_controls.delete', {
        params: { event_id: testEvent.id, id },
        caller: { account_id, token_id: 'a staff member', scope: 'admin', role },
      })
    const { _id } = await testEvent.scan(point, 'nobody')
    await expect(as('door_manager', _id)).rejects.toMatchObject({ code: 'forbidden', message: OTHER_TOKEN[1] })
    const stored = databaseOf(system, 'checkin').collection<CheckIn>('access_controls')
    await stored.updateOne({ _id }, { $set: { token_id: 'a staff member' } })
    await as('door_manager', _id)
    const other = await testEvent.scan(point, 'nobody')
    await as('organizer', other._id)
    expect(await testEvent.read(`access_controls.json?guest_uid=nobody`)).not.toContainEqual(other)
  })

  test('a device keeps to its check-in points, and undoes its own after it got another token', async () => {
    const other = await testEvent.point('Other')
    const device = await testEvent.make('devices.json', { name: 'Phone', accesspoint_ids: [point] })
    const enrol = async (code: string): Promise<string> => {
      const headers = { authorization: `Bearer ${code}` }
      return (await system.api('POST', 'device_codes/exchange.json', undefined, { token: '', headers })).body.token
    }
    const first = await enrol(device.code)
    const [one, two] = [(await scan('nobody', first)).body, (await scan('nobody', first)).body]
    expect((await undo(one, first)).status).toBe(204)
    const second = await enrol((await testEvent.api('POST', `devices/${device._id}/roll_code.json`, {})).body.code)
    await testEvent.change(`devices/${device._id}.json`, { accesspoint_ids: [other] })
    await expect
      .poll(async () => refusalOf(await undo(two, second)))
      .toEqual([403, 'The device is bound to other check-in points'])
    await testEvent.change(`devices/${device._id}.json`, { accesspoint_ids: [point] })
    await expect.poll(async () => (await undo(two, second)).status).toBe(204)
  })

  test('of two requests at once exactly one undoes it', async () => {
    const { body } = await scan('nobody')
    const answers = await Promise.all([undo(body), undo(body)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404])
  })
})
