import { statusBy } from '@gatehouse/cli/demo/decision-table.ts'
import { describe, expect, test } from 'vitest'
import {
  decisionVectors,
  OwnScans,
  play,
  type VectorGuest,
  type VectorLink,
  type VectorOutcome,
  type VectorScan,
  type VectorWorld,
} from './decision-vectors.ts'

/** What a decision depends on: the door knows all of it, a device a copy. */
interface Known {
  links: Record<string, VectorLink>
  guests: Record<string, VectorGuest>
  uses: Record<string, number>
}

/** The oracle's door, and devices that have copies of what it knows. */
class OracleWorld implements VectorWorld {
  readonly #door: Known = { links: {}, guests: {}, uses: {} }
  readonly #granted: { key: string; persons: number }[] = []
  readonly #devices = new Map<string, { known: Known; scans: OwnScans }>()

  async setLink(link: VectorLink): Promise<void> {
    const key = `${link.point} ${link.category}`
    if (link.limit === null) delete this.#door.links[key]
    else this.#door.links[key] = link
  }

  async setGuest(uid: string, guest: VectorGuest | null): Promise<void> {
    if (guest) this.#door.guests[uid] = guest
    else delete this.#door.guests[uid]
  }

  async scan(scan: VectorScan): Promise<VectorOutcome> {
    const uid = uidIn(this.#door, scan.uid)
    const outcome = outcomeOf(this.#door, { ...scan, uid })
    if (outcome.access_status === 0) this.#grant(`${scan.at} ${uid}`, scan.persons ?? 1)
    return outcome
  }

  async deleteGranted(nth: number): Promise<void> {
    const { key, persons } = this.#granted[nth] ?? expect.fail(`scan ${nth}`)
    this.#door.uses[key] = (this.#door.uses[key] ?? 0) - persons
  }

  async snapshot(device: string): Promise<void> {
    const scans = this.#devices.get(device)?.scans ?? new OwnScans()
    scans.counted()
    this.#devices.set(device, { known: structuredClone(this.#door), scans })
  }

  async decide(device: string, scan: VectorScan): Promise<VectorOutcome> {
    const { known, scans } = this.#devices.get(device) ?? expect.fail(device)
    const made = { ...scan, uid: uidIn(known, scan.uid) }
    const outcome = outcomeOf(known, made, scans.alsoUsed(made.uid, made.at))
    scans.add(made, outcome.access_status)
    return outcome
  }

  async upload(device: string): Promise<number[]> {
    const waiting = this.#devices.get(device)?.scans.takeWaiting() ?? []
    const outcomes = await Promise.all(waiting.map((scan) => this.scan(scan)))
    return outcomes.map(({ access_status }) => access_status)
  }

  #grant(key: string, persons: number): void {
    this.#granted.push({ key, persons })
    this.#door.uses[key] = (this.#door.uses[key] ?? 0) + persons
  }
}

/** The uid that a scanned text stands for: the text itself where a guest has it, else without blanks and zero-width characters at its ends. */
function uidIn({ guests }: Known, text: string): string {
  return text in guests ? text : text.replace(/^[\s\0\u200b-\u200f\u2060]+|[\s\0\u200b-\u200f\u2060]+$/g, '')
}

function outcomeOf(
  { links, guests, uses }: Known,
  { uid, at, persons = 1, stamp }: VectorScan,
  alsoUsed = 0,
): VectorOutcome {
  const guest = guests[uid]
  const link = guest && links[`${at} ${guest.category}`]
  const isEarly = link?.valid_from !== undefined && (stamp ?? '') < link.valid_from
  const isLate = link?.valid_until !== undefined && (stamp ?? '') >= link.valid_until
  const limit = isEarly || isLate ? undefined : (link?.limit ?? undefined)
  const own = (guest?.own ?? []).filter(({ point }) => point === at).map(({ once }) => once)
  const party = guest?.party ?? 1
  const used = (uses[`${at} ${uid}`] ?? 0) + alsoUsed
  const access_status = statusBy({ isGuest: guest !== undefined, link: limit, own, party }, used, persons)
  const early = isEarly ? 'too_early' : 'no_right'
  const reason = [null, 'unknown_guest', isLate ? 'too_late' : early, 'used_up'][access_status] as string | null
  const limits = [...(limit === undefined ? [] : [limit]), ...own.map((once) => (once ? 1 : -1))]
  if (limits.length === 0 || limits.includes(-1)) return { access_status, reason }
  const left = Math.max(...limits) * party - used - (access_status === 0 ? persons : 0)
  return { access_status, reason, persons_left: Math.max(0, left) }
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
