import { Random } from '@gatehouse/cli/demo/random.ts'
import { describe, expect, test } from 'vitest'
import { serviceNames } from '../../services/services.ts'
import { hostFaultsOf } from './host-faults.ts'
import { Lines } from './lines.ts'
import { HOSTS, processesOn } from './placing.ts'
import { describeWatched } from './watching.ts'

describe('processes on hosts', () => {
  test('each host has a gateway, and each service two processes on two hosts', () => {
    const all = HOSTS.flatMap(processesOn)
    expect(new Set(all).size).toBe(all.length)
    for (const host of HOSTS) expect(processesOn(host)).toContain(`gateway-${host}`)
    for (const name of serviceNames) {
      const places = HOSTS.filter((host) => processesOn(host).some((each) => each.replace(/-\d$/, '') === name))
      expect(places, name).toHaveLength(2)
    }
  })
})

describe('lines between hosts', () => {
  test('a line that is cut lets nothing through in its direction, and the other direction is as it was', () => {
    const lines = new Lines(new Random(1))
    lines.change({ from: 1, to: 2, isCut: true })
    expect([lines.delayOf(1, 2), lines.delayOf(2, 1), lines.delayOf(1, 3)]).toEqual([undefined, 0, 0])
    lines.change({ from: 1, to: 2, isCut: false })
    expect(lines.delayOf(1, 2)).toBe(0)
  })

  test('a slow line delays what it does not lose, and loses the share that it is told', () => {
    const lines = new Lines(new Random(1))
    lines.change({ from: 1, to: 2, delayMs: 100, loss: 0.05 })
    const delays = Array.from({ length: 10_000 }, () => lines.delayOf(1, 2))
    expect(new Set(delays)).toEqual(new Set([100, undefined]))
    expect(delays.filter((each) => each === undefined).length / delays.length).toBeCloseTo(0.05, 1)
  })
})

describe('faults of hosts', () => {
  const named = (seed: number): string[] => hostFaultsOf(new Random(seed)).map(({ what }) => what)

  test('the seed determines which hosts they are about, and each host is killed once, that of the database too', () => {
    expect(named(7)).toEqual(named(7))
    expect(named(7).filter((what) => what.startsWith('kill'))).toEqual([
      ...HOSTS.map((host) => `kill host-${host}`),
      'kill the host of the database',
    ])
    expect(new Set(Array.from({ length: 20 }, (_, seed) => named(seed).join())).size).toBeGreaterThan(1)
  })

  test('the report says what doors were answered, and how long they stood still', () => {
    const statuses = new Map([
      [503, 3],
      [201, 12],
      [0, 1],
    ])
    expect(describeWatched({ statuses, first: 2_140, longest: 3_260 })).toBe(
      '1 × no answer, 12 × 201, 3 × 503 with Retry-After; let in again after 2.1 s, at most 3.3 s apart',
    )
    expect(describeWatched({ statuses: new Map([[503, 1]]), first: undefined, longest: 25_000 })).toBe(
      '1 × 503 with Retry-After; nobody let in',
    )
  })
})
