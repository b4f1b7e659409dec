import { type Move, usesOf } from '@gatehouse/door/decision.ts'
import { UTC_DAYS } from '@gatehouse/door/event-day.ts'
import { scannedUid } from '@gatehouse/door/scanned-uid.ts'
import { decide, type Snapshot } from '@gatehouse/door/snapshot.ts'
import { SnapshotWriter } from '@gatehouse/door/snapshot-writing.ts'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { expect } from 'vitest'
import {
  type DecisionVector,
  pointsOf,
  type VectorGuest,
  type VectorLink,
  type VectorOutcome,
  type VectorScan,
  type VectorWorld,
} from './decision-vectors.ts'

const CATEGORIES = ['visitors', 'crew', 'press']

const named = (ids: Iterable<string>) => new Map(Array.from(ids, (id) => [id, { name: id }]))

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
  readonly #known: Snapshot
  readonly #gone = new Set<string>()
  readonly #granted: (Move & { hash: string })[] = []
  readonly #newDevice: () => VectorDevice
  readonly #devices = new Map<string, VectorDevice>()

  constructor(vector: DecisionVector, newDevice: () => VectorDevice) {
    const points = pointsOf(vector)
    const given = Object.entries(vector.points ?? {})
    const areaOf = new Map(given.flatMap(([id, { area }]) => (area ? [[id, area] as const] : [])))
    this.#known = {
      event_id: 'event',
      cursor: '',
      made_at: '',
      salt: 'event',
      accesspoints: named(points),
      areas: new Map(Array.from(areaOf.values(), (id) => [id, { name: id, capacity: null }])),
      exits: new Set(given.flatMap(([id, { direction }]) => (direction ? [id] : []))),
      areaOf,
      day: vector.days ?? UTC_DAYS,
      fields: new Map(),
      categories: named(CATEGORIES),
      links: new Map(points.map((point) => [point, new Map()])),
      guests: new Map(),
      uses: new Map(),
      dailyUses: new Map(),
      entered: { uses: new Map(), dailyUses: new Map() },
    }
    this.#newDevice = newDevice
  }

  async setLink({ category, point, limit, valid_from, valid_until, period, reentry }: VectorLink): Promise<void> {
    if (limit === null) this.#known.links.get(point)?.delete(category)
    else
      this.#known.links.get(point)?.set(category, {
        max_allowed_accesses: limit,
        ...(valid_from && { valid_from: Date.parse(valid_from) }),
        ...(valid_until && { valid_until: Date.parse(valid_until) }),
        ...(period && { period }),
        ...(reentry && { reentry }),
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

  async scan({ uid: text, at, persons, stamp }: VectorScan): Promise<VectorOutcome> {
    const hash = await this.#hashOf(await scannedUid(this.#known, text))
    // Without stamps they lie a millisecond apart.
    const moment = stamp === undefined ? this.#granted.length : Date.parse(stamp)
    const scan = { accesspoint_id: at, hash, at: moment, ...(persons && { persons }) }
    const outcome = decide(this.#known, scan, this.#movesOf(hash)) ?? expect.fail(at)
    const isExit = this.#known.exits.has(at)
    if (outcome.access_status === 0)
      this.#granted.push({ accesspoint_id: at, at: moment, persons: outcome.persons, isExit, hash })
    return outcome
  }

  async deleteGranted(nth: number): Promise<void> {
    this.#granted[nth] = { ...(this.#granted[nth] ?? expect.fail(`scan ${nth}`)), hash: '' }
  }

  async snapshot(name: string): Promise<void> {
    const known = this.#devices.get(name)
    const device = known ?? this.#newDevice()
    this.#devices.set(name, device)
    await device.learn(this.#write(known ? 'difference' : 'whole'))
  }

  decide(name: string, scan: VectorScan): Promise<VectorOutcome> {
    return (this.#devices.get(name) ?? expect.fail(name)).decide(scan)
  }

  async upload(name: string): Promise<number[]> {
    return (await this.#devices.get(name)?.upload((scan) => this.scan(scan))) ?? []
  }

  /** All guests as they are now; in a difference also all who are gone, whatever a device knows. */
  #write(kind: 'whole' | 'difference'): string {
    const { guests, ...head } = this.#known
    const writer = new SnapshotWriter(head)
    for (const [hash, guest] of guests) writer.add(hash, guest, usesOf(this.#known, guest, this.#movesOf(hash)))
    if (kind === 'difference') for (const hash of this.#gone) writer.addGone(hash)
    return writer.finish(kind)
  }

  #movesOf(hash: string): Move[] {
    return this.#granted.filter((granted) => granted.hash === hash)
  }

  #hashOf(uid: string): Promise<string> {
    return hashUid(this.#known.salt, uid)
  }
}
