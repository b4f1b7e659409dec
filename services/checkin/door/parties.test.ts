// @module-tag slow
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROUNDS = rounds(6, 100)

describe('parties at the door', () => {
  let system: System
  let event: TestEvent
  let category: string
  let point: string

  beforeAll(async () => {
    system = await startSystem({ checkins: 2 })
    event = await TestEvent.open(system)
    category = await event.category()
    point = await event.point()
    await event.link(category, point, 1)
  })
  afterAll(() => system?.stop())

  const guest = (uid: string, party_size: number) => event.guest(category, uid, { party_size })
  const scan = (uid: string, persons?: number, fields: object = {}) =>
    event.scan(point, uid, { ...(persons !== undefined && { persons }), ...fields })

  test('a party of four that three phones scan at once for 3, 2 and 1 persons never lets in five', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const uid = `race ${round}`
      await guest(uid, 4)
      const answers = await Promise.all([3, 2, 1].map((persons) => scan(uid, persons)))
      const entered = answers.filter(({ access_status }) => access_status === 0)
      const inside = entered.reduce((sum, { persons }) => sum + persons, 0)
      // Whoever is left out did not fit: 3 and 1, or 2 and 1, with 3 refused.
      expect([3, 4], JSON.stringify(answers)).toContain(inside)
      for (const { access_status, persons, persons_left } of answers)
        if (access_status === 3) expect(persons_left).toBeLessThan(persons)
      expect((await scan(uid, 4 - inside + 1)).access_status).toBe(3)
      if (inside < 4) expect(await scan(uid, 4 - inside)).toMatchObject({ access_status: 0, persons_left: 0 })
    }
  })

  test('as many single scans at once as there are persons, and one more, let in the party', async () => {
    await guest('one by one', 5)
    const answers = await Promise.all(Array.from({ length: 6 }, () => scan('one by one')))
    expect(answers.map(({ access_status }) => access_status).sort()).toEqual([0, 0, 0, 0, 0, 3])
    expect(answers.map(({ persons_left }) => persons_left).sort()).toEqual([0, 0, 1, 2, 3, 4])
  })

  test('a scan for more persons than are left lets in nobody, and says how many it could be', async () => {
    await guest('group', 4)
    expect(await scan('group', 3)).toMatchObject({ access_status: 0, reason: null, persons: 3, persons_left: 1 })
    const refused = await scan('group', 2)
    expect(refused).toMatchObject({ access_status: 3, reason: 'used_up', persons: 2, persons_left: 1 })
    expect(await scan('group')).toMatchObject({ access_status: 0, persons: 1, persons_left: 0 })
  })

  test('a refusal names the latest granted check-in that counts against it', async () => {
    await guest('twice', 2)
    await scan('twice', 1, { access_stamp: '2026-05-01T19:57:00.000Z' })
    await scan('twice', 1, { access_stamp: '2026-05-01T18:00:00.000Z' })
    const before = { access_stamp: '2026-05-01T19:57:00.000Z', accesspoint_id: point, persons: 1 }
    expect(await scan('twice')).toMatchObject({ access_status: 3, granted_before: before })
    const closed = await event.point()
    await event.link(category, closed, 0)
    expect(await event.scan(closed, 'twice')).toMatchObject({ access_status: 3, reason: 'used_up', persons_left: 0 })
  })

  test('a deleted check-in gives all of its persons back', async () => {
    await guest('undone', 3)
    const { _id } = await scan('undone', 3)
    expect((await scan('undone')).access_status).toBe(3)
    await event.remove(`access_controls/${_id}.json`)
    expect(await scan('undone', 2)).toMatchObject({ access_status: 0, persons_left: 1 })
    expect(await scan('undone', 1)).toMatchObject({ access_status: 0, persons_left: 0 })
  })

  test('a scan that is sent again is the same; with other persons under the same key it is refused', async () => {
    await guest('again', 4)
    const headers = { 'idempotency-key': 'again' }
    const send = (persons: number) =>
      event.api('POST', 'access_controls.json', { accesspoint_id: point, guest_uid: 'again', persons }, { headers })
    const first = await send(3)
    expect((await send(3)).body).toEqual(first.body)
    expect((await send(1)).status).toBe(422)
    expect(await scan('again')).toMatchObject({ access_status: 0, persons_left: 0 })
  })

  test('two phones that let in 3 persons each without a network: the conflict says how many too many', async () => {
    await guest('offline', 4)
    const item = (access_stamp: string) => ({
      ...{ accesspoint_id: point, guest_uid: 'offline', persons: 3, decided_offline: 0, access_stamp },
    })
    const items = [item('2026-05-01T18:00:00.000Z'), item('2026-05-01T18:00:01.000Z')]
    const [granted, refused] = await event.make('access_controls/batch_create.json', items)
    expect(granted).toMatchObject({ access_status: 0, persons_left: 1 })
    const conflict = { access_status: 3, persons: 3, persons_left: 1, persons_too_many: 2, accesspoint_id: point }
    expect(refused).toMatchObject(conflict)
    const listed = await event.read('access_controls.json?conflicts=true&guest_uid=offline')
    expect(listed).toMatchObject([{ _id: refused._id, ...conflict }])
  })

  test('a device that says later what it decided is told too how many persons too many that were', async () => {
    await guest('told later', 2)
    await scan('told later')
    const item = {
      accesspoint_id: point,
      guest_uid: 'told later',
      persons: 2,
      access_stamp: '2026-05-01T18:00:00.000Z',
    }
    const send = (fields: object) => event.make('access_controls/batch_create.json', [{ ...item, ...fields }])
    expect(await send({})).toMatchObject([{ access_status: 3, persons_left: 1 }])
    expect(await send({ decided_offline: 0 })).toMatchObject([{ access_status: 3, persons_too_many: 1 }])
  })

  test('persons and party_size are whole numbers from 1 to 500', async () => {
    for (const wrong of [0, -1, 501, 1.5, 'many', null]) {
      const ofScan = await event.refused('access_controls.json', {
        accesspoint_id: point,
        guest_uid: 'x',
        persons: wrong,
      })
      expect(Object.keys(ofScan)).toEqual(['persons'])
      const ofGuest = await event.refused('guests.json', {
        guest_category_id: category,
        last_name: 'X',
        party_size: wrong,
      })
      expect(Object.keys(ofGuest)).toEqual(['party_size'])
    }
  })

  test('a change of the party counts for the next scan', async () => {
    const id = await guest('growing', 1)
    await scan('growing')
    expect((await scan('growing')).access_status).toBe(3)
    await event.change(`guests/${id}.json`, { party_size: 2 })
    expect((await scan('growing')).access_status).toBe(0)
  })
})

describe('the times of a link', () => {
  let system: System
  let event: TestEvent
  let category: string

  beforeAll(async () => {
    system = await startSystem()
    event = await TestEvent.open(system)
    category = await event.category()
    await event.guest(category, 'ada')
  })
  afterAll(() => system?.stop())

  const FROM = '2027-05-01T18:00:00.000Z'

  test('refuse who comes too early, and say when the right begins; afterwards too late', async () => {
    const point = await event.point()
    await event.link(category, point, -1, { valid_from: FROM, valid_until: '2027-05-01T22:00:00+02:00' })
    const at = (access_stamp: string) => event.scan(point, 'ada', { access_stamp })
    const early = { access_status: 2, reason: 'too_early', opens_at: FROM }
    expect(await at('2027-05-01T17:59:59.999Z')).toMatchObject(early)
    expect(await at(FROM)).toMatchObject({ access_status: 0, reason: null })
    expect(await at('2027-05-01T20:00:00.000Z')).toMatchObject({ access_status: 2, reason: 'too_late' })
    const listed = await event.read(`access_controls.json?guest_uid=ada`)
    expect(listed.map(({ reason }: { reason: string }) => reason)).toEqual(['too_late', null, 'too_early'])
  })

  test('go by the server’s clock when no stamp is sent', async () => {
    const hour = 3_600_000
    const open = await event.point()
    await event.link(category, open, -1, { valid_until: new Date(Date.now() + hour).toISOString() })
    expect((await event.scan(open, 'ada')).access_status).toBe(0)
    const closed = await event.point()
    await event.link(category, closed, -1, { valid_from: new Date(Date.now() + hour).toISOString() })
    expect((await event.scan(closed, 'ada')).reason).toBe('too_early')
  })

  test('can be changed and removed, which counts for the next scan, and do not end before they begin', async () => {
    const point = await event.point()
    const id = await event.link(category, point, -1)
    const path = `guest_category_accesspoints/${id}.json`
    await event.change(path, { valid_until: '2020-01-01T00:00:00Z' })
    expect((await event.scan(point, 'ada')).reason).toBe('too_late')
    expect(await event.refused(path, { valid_from: '2020-01-01T00:00:01Z' }, 'PUT')).toEqual({
      valid_until: ["can't be before valid_from"],
    })
    await event.change(path, { valid_until: null })
    expect((await event.scan(point, 'ada')).access_status).toBe(0)
  })
})
