import { randomUUID } from 'node:crypto'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds, slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const STAMP = '2026-05-01T08:30:00.250Z'

describe('what a device decided by itself', () => {
  let testEvent: TestEvent
  let door: string

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    const category = await testEvent.category()
    door = await testEvent.point()
    await testEvent.link(category, door, 1)
    for (const uid of ['ada', 'grace', 'mary']) await testEvent.guest(category, uid)
  })

  const conflicts = (query = ''): Promise<object[]> => testEvent.read(`access_controls.json?conflicts=true${query}`)

  test('is kept beside the status of the server, and is absent where no device says it', async () => {
    const decided = await testEvent.scan(door, 'ada', { decided_offline: 0 })
    expect(decided).toMatchObject({ access_status: 0, decided_offline: 0 })
    const { decided_offline: _, ...scanned } = await testEvent.scan(door, 'ada')
    for (const given of [{}, { decided_offline: null }])
      expect(Object.keys(await testEvent.scan(door, 'ada', given)).sort()).toEqual(Object.keys(scanned).sort())
    expect(await testEvent.read('access_controls.json')).toContainEqual(decided)
  })

  test('is a status from 0 to 3: anything else is 422', async () => {
    for (const decided_offline of [-1, 4, 'granted', 1.5]) {
      const scan = { accesspoint_id: door, guest_uid: 'mary', decided_offline }
      expect(Object.keys(await testEvent.refused('access_controls.json', scan))).toEqual(['decided_offline'])
    }
  })

  test('does not change what the server decides; where both differ the list of conflicts shows it', async () => {
    const own = await TestEvent.open(system)
    const category = await own.category()
    const point = await own.point()
    await own.link(category, point, 1)
    await own.guest(category, 'ada')
    const scans = [
      ['ada', 0, 0],
      ['ada', 0, 3],
      ['nobody', 1, 1],
      ['unknown', 0, 1],
      ['ada', undefined, 3],
    ] as const
    const stored = []
    for (const [guest_uid, decided_offline, access_status] of scans) {
      const checkIn = await own.scan(point, guest_uid, { decided_offline })
      expect(checkIn.access_status).toBe(access_status)
      stored.push(checkIn)
    }
    const listed = await own.read('access_controls.json?conflicts=true')
    expect(listed).toEqual([stored[3], stored[1]])
    expect(await own.read('access_controls.json?conflicts=true&per_page=1&page=2')).toEqual([stored[1]])
    expect(await own.read('access_controls.json?conflicts=false')).toHaveLength(scans.length)
    expect((await own.api('GET', 'access_controls.json?conflicts=perhaps')).status).toBe(422)
    await own.remove(`access_controls/${stored[3]._id}.json`)
    expect(await own.read('access_controls.json?conflicts=true')).toEqual([stored[1]])
  })

  test('may be said when a scan is sent again: the first who says it is kept, and the conflict is listed once', async () => {
    const own = await TestEvent.open(system)
    const point = await own.point()
    const keyed = { headers: { 'idempotency-key': randomUUID() } }
    const scan = { accesspoint_id: point, guest_uid: 'nobody' }
    const single = async (fields: object): Promise<object> => {
      const { status, body } = await own.api('POST', 'access_controls.json', { ...scan, ...fields }, keyed)
      expect(status).toBe(201)
      return body
    }
    const batched = async (fields: object): Promise<object> =>
      (await own.make('access_controls/batch_create.json', [{ ...scan, access_stamp: STAMP, ...fields }]))[0]
    const listed = []
    for (const send of [single, batched]) {
      const { updated_at: _, ...asked } = (await send({})) as { updated_at: string }
      const noted = await send({ decided_offline: 0 })
      expect(noted).toMatchObject({ ...asked, access_status: 1, decided_offline: 0 })
      for (const again of [{ decided_offline: 1 }, { decided_offline: 0 }, {}]) expect(await send(again)).toEqual(noted)
      listed.unshift(noted)
    }
    expect(await own.read('access_controls.json?conflicts=true')).toEqual(expect.arrayContaining(listed))
    expect(await own.read('access_controls.json')).toHaveLength(listed.length)
  })

  test('is no conflict where a scan is sent again with what the server has decided too', async () => {
    const own = await TestEvent.open(system)
    const scan = { accesspoint_id: await own.point(), guest_uid: 'nobody', access_stamp: STAMP }
    const send = (fields: object) => own.make('access_controls/batch_create.json', [{ ...scan, ...fields }])
    await send({})
    expect(await send({ decided_offline: 1 })).toMatchObject([{ access_status: 1, decided_offline: 1 }])
    expect(await own.read('access_controls.json?conflicts=true')).toEqual([])
  })

  test(
    'is decided once, also if repeats that say different things come at once: all get the same record',
    slow,
    async () => {
      const own = await TestEvent.open(system)
      const point = await own.point()
      for (let round = 0; round < rounds(5, 100); round++) {
        const scan = { accesspoint_id: point, guest_uid: `nobody ${round}`, access_stamp: STAMP }
        await own.make('access_controls/batch_create.json', [scan])
        const repeats = Array.from({ length: 8 }, (_, n) => [{ ...scan, decided_offline: n % 4 }])
        const answers = await Promise.all(repeats.map((each) => own.make('access_controls/batch_create.json', each)))
        for (const answer of answers) expect(answer).toEqual(answers[0])
        const decided = answers[0][0].decided_offline
        const listed = await own.read('access_controls.json?conflicts=true')
        const isListed = listed.some(({ guest_uid }: { guest_uid: string }) => guest_uid === scan.guest_uid)
        expect([decided, isListed]).toEqual([expect.any(Number), decided !== 1])
      }
    },
  )

  test('is not a part of what makes a batch item the same scan: the first record stays', async () => {
    const item = { accesspoint_id: door, guest_uid: 'grace', access_stamp: STAMP }
    const send = async (fields: object) =>
      (await testEvent.make('access_controls/batch_create.json', [{ ...item, ...fields }]))[0]
    const first = await send({ decided_offline: 3 })
    expect(first).toMatchObject({ access_status: 0, decided_offline: 3 })
    for (const again of [{ decided_offline: 0 }, {}]) expect(await send(again)).toEqual(first)
    expect(await conflicts()).toEqual([first])
    expect(await conflicts('&page=2')).toEqual([])
  })
})
