import { statusBy } from '@gatehouse/cli/demo/decision-table.ts'
import { describe, expect, test } from 'vitest'
import {
  decisionVectors,
  OwnScans,
  play,
  type VectorGuest,
  type VectorLink,
  type VectorWorld,
} from './decision-vectors.ts'

/** What a decision depends on: the door knows all of it, a device a copy. */
interface Known {
  links: Record<string, number>
  guests: Record<string, VectorGuest>
  uses: Record<string, number>
}

/** The oracle's door, and devices that have copies of what it knows. */
class OracleWorld implements VectorWorld {
  readonly #door: Known = { links: {}, guests: {}, uses: {} }
  readonly #granted: string[] = []
  readonly #devices = new Map<string, { known: Known; scans: OwnScans }>()

  async setLink({ category, point, limit }: VectorLink): Promise<void> {
    if (limit === null) delete this.#door.links[`${point} ${category}`]
    else this.#door.links[`${point} ${category}`] = limit
  }

  async setGuest(uid: string, guest: VectorGuest | null): Promise<void> {
    if (guest) this.#door.guests[uid] = guest
    else delete this.#door.guests[uid]
  }

  async scan(text: string, at: string): Promise<number> {
    const uid = uidIn(this.#door, text)
    const status = statusOf(this.#door, uid, at)
    if (status === 0) this.#grant(`${at} ${uid}`)
    return status
  }

  async deleteGranted(nth: number): Promise<void> {
    const key = this.#granted[nth] ?? expect.fail(`scan ${nth}`)
    this.#door.uses[key] = (this.#door.uses[key] ?? 0) - 1
  }

  async snapshot(device: string): Promise<void> {
    const scans = this.#devices.get(device)?.scans ?? new OwnScans()
    scans.counted()
    this.#devices.set(device, { known: structuredClone(this.#door), scans })
  }

  async decide(device: string, text: string, at: string): Promise<number> {
    const { known, scans } = this.#devices.get(device) ?? expect.fail(device)
    const uid = uidIn(known, text)
    const status = statusOf(known, uid, at, scans.alsoUsed(uid, at))
    scans.add(uid, at, status)
    return status
  }

  async upload(device: string): Promise<number[]> {
    const waiting = this.#devices.get(device)?.scans.takeWaiting() ?? []
    return Promise.all(waiting.map(({ uid, at }) => this.scan(uid, at)))
  }

  #grant(key: string): void {
    this.#granted.push(key)
    this.#door.uses[key] = (this.#door.uses[key] ?? 0) + 1
  }
}

/** The uid that a scanned text stands for: the text itself where a guest has it, else without blanks and zero-width characters at its ends. */
function uidIn({ guests }: Known, text: string): string {
  return text in guests ? text : text.replace(/^[\s\0\u200b-\u200f\u2060]+|[\s\0\u200b-\u200f\u2060]+$/g, '')
}

function statusOf({ links, guests, uses }: Known, uid: string, point: string, alsoUsed = 0): number {
  const guest = guests[uid]
  const link = guest && links[`${point} ${guest.category}`]
  const own = (guest?.own ?? []).filter((each) => each.point === point).map(({ once }) => once)
  return statusBy({ isGuest: guest !== undefined, link, own }, (uses[`${point} ${uid}`] ?? 0) + alsoUsed)
}

describe('the oracle decides as the vectors say', () => {
  test.each(decisionVectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    await play(vector, new OracleWorld())
  })
})

test('there are many cases, each with a name of its own', () => {
  expect(new Set(decisionVectors.map(({ name }) => name)).size).toBe(decisionVectors.length)
  expect(decisionVectors.length).toBeGreaterThan(60)
})
