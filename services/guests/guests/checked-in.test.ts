import { type KillableProcess, startKillable } from '@gatehouse/test/harness/killable.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type Answer, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { cases, deep, rounds, slow } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'

type Item = Answer['body']

const SORTS = ['last_name', '-last_name', 'created_at', '-created_at', 'checked_in_at', '-checked_in_at']

/** When each guest of an event first came in, counted from all its check-ins. */
async function recounted(testEvent: TestEvent): Promise<Map<string, string>> {
  const first = new Map<string, string>()
  for (const { guest_uid, access_status, access_stamp, created_at, direction } of await testEvent.all(
    'access_controls.json',
  )) {
    const moment = access_stamp < created_at ? access_stamp : created_at
    if (access_status === 0 && direction !== 'out' && !((first.get(guest_uid) ?? '9') <= moment))
      first.set(guest_uid, moment)
  }
  return first
}

/** Resolves when each guest shows what a recount says. */
async function recountHolds(testEvent: TestEvent): Promise<void> {
  const first = await recounted(testEvent)
  const guests = await testEvent.all('guests.json')
  const expected = guests.map(({ uid }) => [uid, first.get(uid) ?? null])
  const shown = async () => (await testEvent.all('guests.json')).map(({ uid, checked_in_at }) => [uid, checked_in_at])
  await vi.waitFor(async () => expect(await shown()).toEqual(expected), 120_000)
}

describe('when guests came in (docs/interface.md 8.40)', async () => {
  const system = await sharedSystem()
  let own: TestEvent
  let category: string
  let door: string

  beforeAll(async () => {
    own = await TestEvent.open(system)
    category = await own.category()
    door = await own.point()
    await own.link(category, door, 2)
  })

  const shownOf = async (id: string): Promise<string | null> => (await own.read(`guests/${id}.json`)).checked_in_at

  test('is null before, then the moment of the first granted check-in, in reads, lists and XML', async () => {
    const id = await own.guest(category, 'ada')
    expect(await shownOf(id)).toBe(null)
    expect((await own.xml('GET', `guests/${id}.xml`)).text).toContain('<checked-in-at type="datetime" nil="true"/>')
    const other = await own.point()
    expect((await own.scan(other, 'ada')).access_status).toBe(2)
    const { access_stamp } = await own.scan(door, 'ada')
    await expect.poll(() => shownOf(id)).toBe(access_stamp)
    await own.scan(door, 'ada')
    expect((await own.scan(door, 'ada')).access_status).toBe(3)
    await recountHolds(own)
    const [listed] = await own.read('guests.json?uid=ada')
    expect(listed.checked_in_at).toBe(access_stamp)
    expect((await own.xml('GET', `guests/${id}.xml`)).text).toContain(
      `<checked-in-at type="datetime">${access_stamp}</checked-in-at>`,
    )
  })

  test('does not change the guest otherwise: no updated_at, no conflict with a change', async () => {
    const id = await own.guest(category, 'unchanged')
    const before = await own.read(`guests/${id}.json`)
    const { access_stamp } = await own.scan(door, 'unchanged')
    await expect.poll(() => shownOf(id)).toBe(access_stamp)
    expect(await own.read(`guests/${id}.json`)).toEqual({ ...before, checked_in_at: access_stamp })
  })

  test('goes back to an earlier stamp that arrives late, and on when that check-in is deleted', async () => {
    const id = await own.guest(category, 'late')
    const { access_stamp, _id } = await own.scan(door, 'late')
    await expect.poll(() => shownOf(id)).toBe(access_stamp)
    const early = '2026-05-01T08:00:00.000Z'
    const earlier = await own.scan(door, 'late', { access_stamp: early })
    await expect.poll(() => shownOf(id)).toBe(early)
    await own.remove(`access_controls/${earlier._id}.json`)
    await expect.poll(() => shownOf(id)).toBe(access_stamp)
    await own.remove(`access_controls/${_id}.json`)
    await expect.poll(() => shownOf(id)).toBe(null)
  })

  test('of a clock that is ahead is the time of receipt', async () => {
    const id = await own.guest(category, 'ahead')
    const { created_at } = await own.scan(door, 'ahead', { access_stamp: new Date(Date.now() + 3_600_000) })
    await expect.poll(() => shownOf(id)).toBe(created_at)
  })

  test('follows the uid: of another one, and of a new guest with the uid of a deleted one', async () => {
    const id = await own.guest(category, 'former')
    const { access_stamp } = await own.scan(door, 'former')
    await expect.poll(() => shownOf(id)).toBe(access_stamp)
    await own.change(`guests/${id}.json`, { uid: 'latter' })
    await expect.poll(() => shownOf(id)).toBe(null)
    await own.change(`guests/${id}.json`, { uid: 'former' })
    await expect.poll(() => shownOf(id)).toBe(access_stamp)
    await own.remove(`guests/${id}.json`)
    const again = await own.guest(category, 'former')
    await expect.poll(() => shownOf(again)).toBe(access_stamp)
  })

  test('stays with what is left of an erased guest', slow, async () => {
    const id = await own.guest(category, 'erased', { last_name: 'Gone' })
    const { access_stamp, _id } = await own.scan(door, 'erased')
    await expect.poll(() => shownOf(id)).toBe(access_stamp)
    await own.make('erasures.json', { by: 'guest_uid', value: 'erased' })
    await expect.poll(async () => (await own.read(`guests/${id}.json`)).uid).toMatch(/^erased-/)
    await recountHolds(own)
    expect(await shownOf(id)).toBe(access_stamp)
    await own.remove(`access_controls/${_id}.json`)
    await expect.poll(() => shownOf(id)).toBe(null)
  })

  test('is no exit’s', async () => {
    const id = await own.guest(category, 'leaving')
    const exit = (await own.make('accesspoints.json', { name: 'Exit', direction: 'out' }))._id
    expect((await own.scan(exit, 'leaving')).access_status).toBe(0)
    const { access_stamp, _id } = await own.scan(door, 'leaving')
    await expect.poll(() => shownOf(id)).toBe(access_stamp)
    await own.remove(`access_controls/${_id}.json`)
    await expect.poll(() => shownOf(id)).toBe(null)
  })

  test('counts the entry of a walk-in', async () => {
    const walkIns = (await own.make('guest_categories.json', { name: 'Walk-ins', walk_in_enabled: true }))._id
    await own.link(walkIns, door, 1)
    const sent = { guest_category_id: walkIns, accesspoint_id: door, last_name: 'Byron' }
    const { guest, access_control } = await own.make('walk_ins.json', sent)
    await expect.poll(() => shownOf(guest._id)).toBe(access_control.access_stamp)
  })
})

describe('the list of guests (docs/interface.md 8.41)', async () => {
  const system = await sharedSystem()
  let own: TestEvent
  let guests: Item[]

  beforeAll(async () => {
    own = await TestEvent.open(system)
    const [category, door] = [await own.category(), await own.point()]
    await own.link(category, door, 1)
    for (let n = 0; n < 24; n++)
      await own.guest(category, `uid ${n}`, {
        last_name: `Name ${(7 * n) % 24}`,
        rsvp_status: n % 3 ? 'accepted' : 'declined',
      })
    const entering = Array.from({ length: 12 }, (_, n) => ({
      ...{ accesspoint_id: door, guest_uid: `uid ${(5 * n) % 24}` },
      access_stamp: `2026-05-01T08:${10 + ((3 * n) % 12)}:00.000Z`,
    }))
    await own.make('access_controls/batch_create.json', entering)
    await vi.waitFor(async () => expect(await own.read('guests.json?checked_in=true')).toHaveLength(12), 120_000)
    guests = await own.all('guests.json')
  })

  const keyOf = (guest: Item, sort: string): string => {
    const name = sort.replace('-', '')
    return `${(name === 'last_name' ? guest.last_name.toLowerCase() : guest[name]) ?? ''} ${guest._id}`
  }

  test('takes checked_in, rsvp_status and sort together, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.boolean()),
        fc.option(fc.constantFrom('accepted', 'declined')),
        fc.option(fc.constantFrom(...SORTS)),
        fc.integer({ min: 1, max: 24 }),
        fc.boolean(),
        async (checked_in, rsvp_status, sort, per_page, isWalked) => {
          const order = sort ?? '-created_at'
          const way = order.startsWith('-') ? -1 : 1
          const expected = guests
            .filter((guest) => checked_in === null || (guest.checked_in_at !== null) === checked_in)
            .filter((guest) => rsvp_status === null || guest.rsvp_status === rsvp_status)
            .sort((one, other) => (keyOf(one, order) < keyOf(other, order) ? -way : way))
            .map(({ uid }) => uid)
          const given = { checked_in, rsvp_status, sort, per_page }
          const query = Object.entries(given).flatMap(([name, value]) => (value === null ? [] : `${name}=${value}`))
          const pages = Array.from({ length: Math.ceil(expected.length / per_page) }, (_, index) => index)
          for (const index of isWalked ? pages : pages.toReversed()) {
            const page = await own.read(`guests.json?${query.join('&')}&page=${index + 1}`)
            const uids = page.map(({ uid }: Item) => uid)
            expect([query, uids]).toEqual([query, expected.slice(index * per_page, (index + 1) * per_page)])
          }
        },
      ),
      cases(40, 400),
    )
  })

  test('names values that it does not take: 422', async () => {
    for (const [name, value] of [
      ['checked_in', 'perhaps'],
      ['rsvp_status', 'maybe'],
      ['sort', 'first_name'],
      ['sort', '--created_at'],
    ] as const) {
      const { status, body } = await own.api('GET', `guests.json?${name}=${value}`)
      expect([value, status, Object.keys(body.errors)]).toEqual([value, 422, [name]])
    }
  })

  test('shows a change on a page that was read before', async () => {
    const [category, door] = [await own.category(), await own.point()]
    await own.link(category, door, 1)
    for (const uid of ['x', 'y', 'z']) await own.guest(category, uid)
    const where = `guests.json?category[]=${category}&sort=-checked_in_at&per_page=1`
    const uidsOn = async (page: number) => (await own.read(`${where}&page=${page}`)).map(({ uid }: Item) => uid)
    expect([await uidsOn(1), await uidsOn(2), await uidsOn(3)].flat().sort()).toEqual(['x', 'y', 'z'])
    await own.scan(door, 'y')
    await expect.poll(() => uidsOn(1)).toEqual(['y'])
    await own.scan(door, 'x')
    await expect.poll(async () => [await uidsOn(1), await uidsOn(2), await uidsOn(3)].flat()).toEqual(['x', 'y', 'z'])
  })
})

describe('with two processes of each service', slow, () => {
  test('whatever happens at once, and in whatever order, a recount agrees', async () => {
    const system = await startSystem()
    const others = [await startReplica('guests', system), await startReplica('checkin', system)]
    const own = await TestEvent.open(system)
    const [category, ...doors] = [await own.category(), await own.point(), await own.point()]
    for (const point of doors) await own.link(category, point, 3)
    const uids = ['a', 'b', 'c', 'd']
    for (const uid of uids) await own.guest(category, uid)
    const start = Date.now() - 60_000
    const step = fc.record({
      kind: fc.constantFrom('scan', 'scan', 'scan', 'delete', 'delete', 'rename', 'replace'),
      uid: fc.constantFrom(...uids),
      other: fc.constantFrom(...uids, 'spare'),
      door: fc.constantFrom(...doors),
      seconds: fc.option(fc.nat(50)),
    })
    const act = async ({ kind, uid, other, door: accesspoint_id, seconds }: Item): Promise<void> => {
      if (kind === 'scan') {
        const access_stamp = seconds === null ? undefined : new Date(start + seconds * 1_000)
        await own.scan(accesspoint_id, uid, { access_stamp })
        return
      }
      if (kind === 'delete') {
        const [found] = await own.read(`access_controls.json?guest_uid=${uid}&per_page=1`)
        if (found) await own.api('DELETE', `access_controls/${found._id}.json`)
        return
      }
      const [guest] = await own.read(`guests.json?uid=${uid}`)
      if (!guest) return
      if (kind === 'rename') await own.api('PUT', `guests/${guest._id}.json`, { uid: other })
      else {
        await own.api('DELETE', `guests/${guest._id}.json`)
        await own.api('POST', 'guests.json', { guest_category_id: category, uid })
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        // Four at a time.
        for (let from = 0; from < steps.length; from += 4) await Promise.all(steps.slice(from, from + 4).map(act))
        await recountHolds(own)
      }),
      { ...cases(4, 30), endOnFailure: true },
    )
    await Promise.all(others.map((other) => other.stop()))
    await system.stop()
  })
})

/** What a killed process leaves behind is followed half a minute later. */
describe('a process that is killed', slow, () => {
  /** Kills the process at many answers of its store while guests come in and entries are deleted. */
  async function killed(own: TestEvent, killable: KillableProcess, answers: number[]): Promise<void> {
    const [category, door] = [await own.category(), await own.point()]
    await own.link(category, door, 1)
    const guests = answers.map((nth) => [`come ${nth}`, `go ${nth}`, `rename ${nth}`])
    for (const uid of guests.flat()) await own.guest(category, uid)
    const stored = new Map<string, string>()
    for (const [, gone = ''] of guests) stored.set(gone, (await own.scan(door, gone))._id)
    for (const [index, nth] of answers.entries()) {
      const [come, gone = '', renamed] = guests[index] as string[]
      const guest = (await own.readRetried(`guests.json?uid=${encodeURIComponent(renamed as string)}`))[0]
      const cancel = await killable.killAtAnswer(nth)
      await killable.retry(own, 'POST', 'access_controls.json', { accesspoint_id: door, guest_uid: come })
      await own.api('DELETE', `access_controls/${stored.get(gone)}.json`)
      await own.api('PUT', `guests/${guest._id}.json`, { uid: `renamed ${nth}` })
      await vi.waitFor(async () => expect((await own.api('GET', 'guests.json?per_page=1')).status).toBe(200), 60_000)
      cancel()
      await killable.serving()
    }
    await recountHolds(own)
  }

  test.each(['checkin', 'guests'] as const)('of %s leaves no guest with another moment', async (service) => {
    const system = await startSystem(service === 'checkin' ? { checkins: 0 } : { guests: 0 })
    const killable = await startKillable(service, system)
    try {
      const own = await TestEvent.open(system)
      await killed(own, killable, rounds(3, 12) === 3 ? [1, 3, 6] : Array.from({ length: 12 }, (_, n) => n + 1))
    } finally {
      // A process that stayed would answer the requests of the next system in this namespace.
      await killable.stop()
      await system.stop()
    }
  })
})

test('two thousand guests who come in within seconds show it within two more', deep, async () => {
  const system = await sharedSystem()
  const own = await TestEvent.open(system)
  const [category, door] = [await own.category(), await own.point()]
  await own.link(category, door, 1)
  const uids = Array.from({ length: 2_000 }, (_, n) => `guest ${n}`)
  for (let from = 0; from < uids.length; from += 50)
    await Promise.all(uids.slice(from, from + 50).map((uid) => own.guest(category, uid)))
  for (let from = 0; from < uids.length; from += 20)
    await Promise.all(uids.slice(from, from + 20).map((uid) => own.scan(door, uid)))
  const done = performance.now()
  await expect.poll(async () => (await own.read('guests.json?checked_in=false')).length, { interval: 50 }).toBe(0)
  expect(performance.now() - done).toBeLessThan(2_000)
})
