import { succeeded } from '@gatehouse/test/harness/call.ts'
import { type BenchCase, SYSTEM } from './case.ts'
import type { Environment } from './environment.ts'
import { type BenchEvent, CAPACITY } from './event.ts'

/* Cases that read who is inside. */

/** Persons inside an area, one of each party; and in the case to compare with. */
const INSIDE = 100_000
const FEW_INSIDE = 1_000
/** Reads after scans are as many as those of a rush in half a minute only after a while. */
const TIMES = 5

/** How many have come in after the first ones, by the number of these. */
const cameLater = new Map<number, number>()
const filled = new Map<number, Promise<unknown>>()

/** All of them, each after the case that it is compared with. */
export const areaCases: BenchCase[] = [
  areas(`areas, ${FEW_INSIDE} inside`, FEW_INSIDE),
  { ...areas('areas', INSIDE), baseline: `areas, ${FEW_INSIDE} inside` },
  { ...areasAfterScans('areas after each scan', INSIDE), baseline: 'areas' },
]

/** Reads an event's areas, one request after another. */
function areas(name: string, inside: number): BenchCase {
  return {
    name,
    group: 'areas',
    processes: SYSTEM,
    latency: true,
    job: async (environment, seconds) => {
      const { path } = await fill(environment, inside)
      return { worker: 'load', kind: 'get', path: path('areas.json'), url: environment.url, connections: 1, seconds }
    },
    verify: async (environment) => expectInside(environment, inside),
  }
}

/** The same, each read after one more person has come in. */
function areasAfterScans(name: string, inside: number): BenchCase {
  return {
    ...areas(name, inside),
    times: TIMES,
    job: async (environment, seconds) => {
      const { path, unlimited: accesspoint_id, uids } = await fill(environment, inside)
      const scans = { path: path('access_controls.json'), accesspoint_id, uids, first: cameLater.get(inside) ?? 0 }
      const read = { kind: 'get', path: path('areas.json'), scans } as const
      return { worker: 'load', ...read, url: environment.url, connections: 1, seconds }
    },
    verify: async (environment, requests) => {
      cameLater.set(inside, (cameLater.get(inside) ?? 0) + requests)
      await expectInside(environment, inside)
    },
  }
}

/** Lets one person of each party into an area, an hour ago. */
async function fill({ event, api, worker }: Environment, inside: number): Promise<BenchEvent> {
  const made = await event(inside, 'inside')
  const { _id: event_id, unlimited: accesspoint_id, create } = made
  await filled.getOrInsertComputed(inside, async () => {
    const driver = await worker('driver')
    await driver.run({ worker: 'driver', kind: 'inside', event_id, accesspoint_id, count: inside })
    const { _id: area_id } = await create('areas.json', { name: 'Hall', capacity: CAPACITY })
    await succeeded(api('PUT', `events/${event_id}/accesspoints/${accesspoint_id}.json`, { area_id }))
  })
  return made
}

/** Throws if any person is missing who has come in. */
async function expectInside({ event, url }: Environment, inside: number): Promise<void> {
  const { path } = await event(inside, 'inside')
  const [area] = (await (await fetch(url + path('areas.json'))).json()) as { inside_count: number }[]
  const expected = inside + (cameLater.get(inside) ?? 0)
  if (area?.inside_count !== expected) throw new Error(`${area?.inside_count} inside in place of ${expected}`)
}
