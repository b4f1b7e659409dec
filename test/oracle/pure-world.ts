import { scannedUid } from '@gatehouse/door/scanned-uid.ts'
import { decide, type KnownGuest, type Snapshot } from '@gatehouse/door/snapshot.ts'
import { SnapshotWriter, writeSnapshot } from '@gatehouse/door/snapshot-writing.ts'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { expect } from 'vitest'
import type { VectorGuest, VectorLink, VectorOutcome, VectorScan, VectorWorld } from './decision-vectors.ts'

const POINTS = ['door', 'lounge', 'stage']
const CATEGORIES = ['visitors', 'crew', 'press']

const named = (ids: string[]) => new Map(ids.map((id) => [id, { name: id }]))

/** The door: decides a scan. */
export type DoorScan = (scan: VectorScan) => Promise<VectorOutcome>

/** A device of a case, which gets snapshots as texts. */
export interface VectorDevice {
  /** Learns a whole snapshot, or the difference from the one before. */
  learn(text: string): Promise<void>
  decide(scan: VectorScan): Promise<VectorOutcome>
  /** Sends what it has decided since its last upload, in order; returns the statuses of the record. */
  upload(scan: DoorScan): Promise<number[]>
}

/** A door that holds its record in memory, and its devices. Ids are names here. */
export class PureWorld implements VectorWorld {
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
  readonly #gone = new Set<string>()
  readonly #granted: [at: string, hash: string, persons: number][] = []
  readonly #newDevice: () => VectorDevice
  readonly #devices = new Map<string, VectorDevice>()

  constructor(newDevice: () => VectorDevice) {
    this.#newDevice = newDevice
  }

  async setLink({ category, point, limit, valid_from, valid_until }: VectorLink): Promise<void> {
    if (limit === null) this.#known.links.get(point)?.delete(category)
    else
      this.#known.links.get(point)?.set(category, {
        max_allowed_accesses: limit,
        ...(valid_from && { valid_from: Date.parse(valid_from) }),
        ...(valid_until && { valid_until: Date.parse(valid_until) }),
      })
  }

  async setGuest(uid: string, given: VectorGuest | null): Promise<void> {
    const hash = await this.#hashOf(uid)
    if (!given) {
      this.#known.guests.delete(hash)
      this.#gone.add(hash)
    } else {
      const access_privileges = given.own.map(({ point, once }) => ({ accesspoint_id: point, access_once: once }))
      const party = given.party === undefined ? {} : { party_size: given.party }
      this.#known.guests.set(hash, { guest_category_id: given.category, access_privileges, ...party })
      this.#gone.delete(hash)
    }
  }

  async scan({ uid: text, at, persons = 1, stamp }: VectorScan): Promise<VectorOutcome> {
    const hash = await this.#hashOf(await scannedUid(this.#known, text))
    const scan = { accesspoint_id: at, hash, persons, ...(stamp && { at: Date.parse(stamp) }) }
    const outcome = decide(this.#known, scan) ?? expect.fail(at)
    if (outcome.access_status === 0) {
      this.#granted.push([at, hash, persons])
      this.#known.uses.get(at)?.set(hash, this.#usesOf(at, hash) + persons)
    }
    return outcome
  }

  async deleteGranted(nth: number): Promise<void> {
    const [at, hash, persons] = this.#granted[nth] ?? expect.fail(`scan ${nth}`)
    this.#known.uses.get(at)?.set(hash, this.#usesOf(at, hash) - persons)
  }

  async snapshot(name: string): Promise<void> {
    const device = this.#devices.get(name)
    if (device) return device.learn(this.#difference())
    const made = this.#newDevice()
    this.#devices.set(name, made)
    await made.learn(writeSnapshot(this.#known))
  }

  decide(name: string, scan: VectorScan): Promise<VectorOutcome> {
    return (this.#devices.get(name) ?? expect.fail(name)).decide(scan)
  }

  async upload(name: string): Promise<number[]> {
    return (await this.#devices.get(name)?.upload((scan) => this.scan(scan))) ?? []
  }

  /** All guests as they are now, and all who are gone: a difference from whatever a device knows. */
  #difference(): string {
    const { guests, ...head } = this.#known
    const writer = new SnapshotWriter(head)
    for (const [hash, guest] of guests)
      writer.add(
        hash,
        guest as KnownGuest,
        POINTS.map((at) => [at, this.#usesOf(at, hash)]),
      )
    for (const hash of this.#gone) writer.addGone(hash)
    return writer.finish('difference')
  }

  #usesOf(at: string, hash: string): number {
    return this.#known.uses.get(at)?.get(hash) ?? 0
  }

  #hashOf(uid: string): Promise<string> {
    return hashUid(this.#known.salt, uid)
  }
}
