import {
  decisionVectors,
  OwnScans,
  play,
  type VectorGuest,
  type VectorLink,
  type VectorWorld,
} from '@gatehouse/test/oracle/decision-vectors.ts'
import { describe, expect, test } from 'vitest'
import { allowance, isWithin, refusalOf } from './decision.ts'
import { applyDifference, decide, type KnownGuest, readSnapshot, type Snapshot } from './snapshot.ts'
import { SnapshotWriter, writeSnapshot } from './snapshot-writing.ts'
import { hashUid } from './uid-hash.ts'

const POINTS = ['door', 'lounge', 'stage']
const CATEGORIES = ['visitors', 'crew', 'press']

const named = (ids: string[]) => new Map(ids.map((id) => [id, { name: id }]))

/** A door which holds its record in memory, and devices which get snapshots as texts. Ids are names here. */
class PureWorld implements VectorWorld {
  readonly #known: Snapshot = {
    event_id: 'event',
    cursor: '',
    made_at: '',
    salt: 'event',
    accesspoints: named(POINTS),
    categories: named(CATEGORIES),
    links: new Map(POINTS.map((point) => [point, new Map()])),
    guests: new Map(),
    uses: new Map(POINTS.map((point) => [point, new Map()])),
  }
  readonly #granted: [at: string, hash: string][] = []
  readonly #devices = new Map<string, { snapshot: Snapshot; scans: OwnScans }>()

  async setLink({ category, point, limit }: VectorLink): Promise<void> {
    if (limit === null) this.#known.links.get(point)?.delete(category)
    else this.#known.links.get(point)?.set(category, limit)
  }

  async setGuest(uid: string, given: VectorGuest | null): Promise<void> {
    const hash = await this.#hashOf(uid)
    if (!given) this.#known.guests.delete(hash)
    else {
      const access_privileges = given.own.map(({ point, once }) => ({ accesspoint_id: point, access_once: once }))
      this.#known.guests.set(hash, { guest_category_id: given.category, access_privileges })
    }
  }

  async scan(uid: string, at: string): Promise<number> {
    const hash = await this.#hashOf(uid)
    const guest = this.#known.guests.get(hash)
    const limit = guest && allowance(this.#known.links, guest, at)
    const status = refusalOf(guest, limit) ?? (isWithin(limit ?? 0, this.#usesOf(at, hash)) ? 0 : 3)
    if (status === 0) {
      this.#granted.push([at, hash])
      this.#known.uses.get(at)?.set(hash, this.#usesOf(at, hash) + 1)
    }
    return status
  }

  async deleteGranted(nth: number): Promise<void> {
    const [at, hash] = this.#granted[nth] ?? expect.fail(`scan ${nth}`)
    this.#known.uses.get(at)?.set(hash, this.#usesOf(at, hash) - 1)
  }

  async snapshot(name: string): Promise<void> {
    const device = this.#devices.get(name)
    if (!device) this.#devices.set(name, { snapshot: readSnapshot(writeSnapshot(this.#known)), scans: new OwnScans() })
    else {
      applyDifference(device.snapshot, this.#differenceFrom(device.snapshot))
      device.scans.counted()
    }
  }

  async decide(name: string, uid: string, at: string): Promise<number> {
    const { snapshot, scans } = this.#devices.get(name) ?? expect.fail(name)
    const hash = await hashUid(snapshot.salt, uid)
    const decision = decide(snapshot, { accesspoint_id: at, hash }, scans.alsoUsed(uid, at)) ?? expect.fail(at)
    scans.add(uid, at, decision.access_status)
    return decision.access_status
  }

  async upload(name: string): Promise<number[]> {
    const waiting = this.#devices.get(name)?.scans.takeWaiting() ?? []
    const statuses: number[] = []
    for (const { uid, at } of waiting) statuses.push(await this.scan(uid, at))
    return statuses
  }

  #differenceFrom(snapshot: Snapshot): string {
    const { guests, ...head } = this.#known
    const writer = new SnapshotWriter(head)
    for (const [hash, guest] of guests)
      writer.add(
        hash,
        guest as KnownGuest,
        POINTS.map((at) => [at, this.#usesOf(at, hash)]),
      )
    for (const hash of snapshot.guests.keys()) if (!guests.has(hash)) writer.addGone(hash)
    return writer.finish('difference')
  }

  #usesOf(at: string, hash: string): number {
    return this.#known.uses.get(at)?.get(hash) ?? 0
  }

  #hashOf(uid: string): Promise<string> {
    return hashUid(this.#known.salt, uid)
  }
}

describe('a device decides as the vectors say', () => {
  test.each(decisionVectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    await play(vector, new PureWorld())
  })
})
