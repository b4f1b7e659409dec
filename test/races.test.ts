import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedSystem } from './harness/shared-system.ts'
import { type System, startSystem } from './harness/system.ts'
import { isDeep, rounds } from './rounds.ts'

/** Rules that must hold for any timing of scans and changes, with several gateways and checkin services; deep runs have them as processes. */
describe('the door with two gateways and two checkin services', () => {
  let system: System
  let event: string
  let door: string
  let linked: string
  let unlinked: string

  beforeAll(async () => {
    system = await (isDeep ? startSystem({ gateways: 2, checkins: 2, processes: true }) : sharedSystem())
    event = await created('events.json', { title: 'Races', account_id: system.account_id })
    door = await created(`${event}/accesspoints.json`, { name: 'Door' })
    linked = await created(`${event}/guest_categories.json`, { name: 'Linked' })
    unlinked = await created(`${event}/guest_categories.json`, { name: 'Not linked' })
  })

  afterAll(() => system?.stop())

  async function created(path: string, body: object): Promise<string> {
    const answer = await system.api('POST', path, body)
    expect(answer.status, answer.text).toBe(201)
    return answer.body._id
  }

  async function changed(method: string, path: string, body?: object): Promise<void> {
    const answer = await system.api(method, path, body, { base: gateway() })
    expect(answer.status, answer.text).toBe(204)
  }

  let turn = 0
  function gateway(): string {
    return system.urls[turn++ % system.urls.length] as string
  }

  async function scan(uid: string, point = door): Promise<number> {
    const body = { accesspoint_id: point, guest_uid: uid }
    const answer = await system.api('POST', `${event}/access_controls.json`, body, { base: gateway() })
    expect(answer.status, answer.text).toBe(201)
    return answer.body.access_status
  }

  test('exactly one of 50 parallel scans of a guest with one access left is granted', async () => {
    const limits = [1, 3]
    const doors = await Promise.all(
      limits.map((limit) => created(`${event}/accesspoints.json`, { name: `Limit ${limit}` })),
    )
    for (const [index, limit] of limits.entries()) {
      await created(`${event}/guest_category_accesspoints.json`, {
        guest_category_id: linked,
        accesspoint_id: doors[index],
        max_allowed_accesses: limit,
      })
    }
    for (let round = 0; round < rounds(4, 400); round++) {
      const which = round % limits.length
      const limit = limits[which] as number
      const point = doors[which] as string
      const uid = `one-left-${round}`
      await created(`${event}/guests.json`, { guest_category_id: linked, uid })
      for (let used = 1; used < limit; used++) expect(await scan(uid, point)).toBe(0)
      const statuses = await Promise.all(Array.from({ length: 50 }, () => scan(uid, point)))
      expect(statuses.filter((status) => status === 0)).toHaveLength(1)
      expect(statuses.filter((status) => status === 3)).toHaveLength(49)
    }
  })

  test('a scan sees each change of link, category or guest that was answered before it', async () => {
    const uid = 'changing'
    const gate = await created(`${event}/accesspoints.json`, { name: 'Changing gate' })
    let link = await created(`${event}/guest_category_accesspoints.json`, {
      guest_category_id: linked,
      accesspoint_id: gate,
    })
    let guest = await created(`${event}/guests.json`, { guest_category_id: linked, uid })
    const links = `${event}/guest_category_accesspoints`
    const guests = `${event}/guests`
    // Changes with the status that every scan afterwards must have, each followed by its reversal.
    const kinds: { change(): Promise<void>; status: number }[][] = [
      [
        { change: () => changed('PUT', `${links}/${link}.json`, { max_allowed_accesses: 0 }), status: 3 },
        { change: () => changed('PUT', `${links}/${link}.json`, { max_allowed_accesses: -1 }), status: 0 },
      ],
      [
        { change: () => changed('DELETE', `${links}/${link}.json`), status: 2 },
        {
          change: async () => {
            link = await created(`${links}.json`, { guest_category_id: linked, accesspoint_id: gate })
          },
          status: 0,
        },
      ],
      [
        { change: () => changed('PUT', `${guests}/${guest}.json`, { guest_category_id: unlinked }), status: 2 },
        { change: () => changed('PUT', `${guests}/${guest}.json`, { guest_category_id: linked }), status: 0 },
      ],
      [
        { change: () => changed('DELETE', `${guests}/${guest}.json`), status: 1 },
        {
          change: async () => {
            guest = await created(`${guests}.json`, { guest_category_id: linked, uid })
          },
          status: 0,
        },
      ],
      [
        { change: () => changed('PUT', `${guests}/${guest}.json`, { guest_category_id: unlinked }), status: 2 },
        {
          change: () =>
            changed('PUT', `${guests}/${guest}.json`, {
              access_privileges_attributes: [{ accesspoint_id: gate, access_once: false }],
            }),
          status: 0,
        },
        { change: () => changed('PUT', `${guests}/${guest}.json`, { access_privileges_attributes: [] }), status: 2 },
        { change: () => changed('PUT', `${guests}/${guest}.json`, { guest_category_id: linked }), status: 0 },
      ],
    ]
    // Constant scans at both gateways keep caches filled and fetches in flight.
    let isScanning = true
    const scanOn = async (): Promise<void> => {
      while (isScanning) await scan(uid, gate)
    }
    const scanners = [scanOn(), scanOn(), scanOn(), scanOn()]
    try {
      for (let round = 0, kind = 0; round < rounds(12, 3_000); kind++) {
        for (const { change, status } of kinds[kind % kinds.length] ?? []) {
          await change()
          const statuses = await Promise.all(Array.from({ length: 4 }, () => scan(uid, gate)))
          expect(statuses, `round ${round}`).toEqual([status, status, status, status])
          round++
        }
      }
    } finally {
      isScanning = false
      await Promise.all(scanners)
    }
  })
})
