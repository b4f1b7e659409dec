import { scannedUid } from '@gatehouse/door/scanned-uid.ts'
import { decide, type Snapshot, updated } from '@gatehouse/door/snapshot.ts'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { expect } from 'vitest'
import type { System } from '../harness/system.ts'
import { TestEvent } from '../harness/test-event.ts'
import {
  type DecisionVector,
  OwnScans,
  pointsOf,
  type VectorGuest,
  type VectorLink,
  type VectorOutcome,
  type VectorPoint,
  type VectorScan,
  type VectorWorld,
} from './decision-vectors.ts'

/** The terms of a link besides its limit, with their defaults. */
function termsOf({ valid_from = '', valid_until = '', period, reentry }: Partial<VectorLink>) {
  return {
    valid_from: valid_from || null,
    valid_until: valid_until || null,
    period: period ?? 'event',
    reentry: reentry ?? false,
  }
}

/** Returns the value of a key, and makes it once. */
function lazily<T>(make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const made = new Map<string, Promise<T>>()
  return (key) => made.getOrInsertComputed(key, make)
}

/** A real event, whose door and snapshots are asked over HTTP. */
export class HttpWorld implements VectorWorld {
  readonly #event: TestEvent
  readonly #area = lazily(async (name) => (await this.#event.make('areas.json', { name }))._id as string)
  readonly #point = lazily((name) => this.#newPoint(name))
  readonly #category = lazily((name) => this.#event.category(name))
  readonly #links = new Map<string, string>()
  readonly #guests = new Map<string, string>()
  readonly #granted: string[] = []
  readonly #devices = new Map<string, { snapshot: Snapshot; scans: OwnScans }>()
  readonly #points: Record<string, VectorPoint>
  #stamp = Date.now()

  readonly #hasOneDoor: boolean

  private constructor(event: TestEvent, points: DecisionVector['points'] = {}, hasOneDoor: boolean) {
    this.#event = event
    this.#points = points
    this.#hasOneDoor = hasOneDoor
  }

  /** @param hasOneDoor whether one process answers all; of several, each may not know from where another one's difference begins */
  static async open(system: System, vector: DecisionVector, hasOneDoor = true): Promise<HttpWorld> {
    const world = new HttpWorld(await TestEvent.open(system, vector.days), vector.points, hasOneDoor)
    await Promise.all(pointsOf(vector).map(world.#point))
    return world
  }

  async setLink({ category, point, limit, ...terms }: VectorLink): Promise<void> {
    const key = `${point} ${category}`
    const known = this.#links.get(key)
    if (known && limit !== null)
      return this.#event.change(`guest_category_accesspoints/${known}.json`, {
        max_allowed_accesses: limit,
        ...termsOf(terms),
      })
    if (known) {
      this.#links.delete(key)
      return this.#event.remove(`guest_category_accesspoints/${known}.json`)
    }
    if (limit === null) return
    this.#links.set(
      key,
      await this.#event.link(await this.#category(category), await this.#point(point), limit, termsOf(terms)),
    )
  }

  async #newPoint(name: string): Promise<string> {
    const { direction = 'in', area } = this.#points[name] ?? {}
    const area_id = area === undefined ? null : await this.#area(area)
    return (await this.#event.make('accesspoints.json', { name, direction, area_id }))._id
  }

  async setGuest(uid: string, guest: VectorGuest | null): Promise<void> {
    const known = this.#guests.get(uid)
    if (!guest) {
      this.#guests.delete(uid)
      return this.#event.remove(`guests/${known}.json`)
    }
    const category = await this.#category(guest.category)
    const privileges = guest.own.map(async ({ point, once }) => ({
      accesspoint_id: await this.#point(point),
      access_once: once,
    }))
    const fields = { access_privileges_attributes: await Promise.all(privileges), party_size: guest.party ?? 1 }
    if (known) await this.#event.change(`guests/${known}.json`, { guest_category_id: category, ...fields })
    else this.#guests.set(uid, await this.#event.guest(category, uid, fields))
  }

  async scan({ uid, at, persons, stamp }: VectorScan): Promise<VectorOutcome> {
    const checkIn = await this.#event.scan(await this.#point(at), uid, {
      ...(persons !== undefined && { persons }),
      ...(stamp && { access_stamp: stamp }),
    })
    if (checkIn.access_status === 0) this.#granted.push(checkIn._id)
    return checkIn
  }

  async deleteGranted(nth: number): Promise<void> {
    await this.#event.remove(`access_controls/${this.#granted[nth]}.json`)
  }

  async snapshot(name: string): Promise<void> {
    const known = this.#devices.get(name)
    const since = known ? `?since=${known.snapshot.cursor}` : ''
    const answer = await this.#event.api('GET', `snapshot.json${since}`)
    expect(answer.status).toBe(200)
    if (this.#hasOneDoor) expect(answer.body.kind).toBe(known ? 'difference' : 'whole')
    known?.scans.counted()
    const scans = known?.scans ?? new OwnScans()
    this.#devices.set(name, { snapshot: updated(known?.snapshot, answer.text), scans })
  }

  async decide(name: string, made: VectorScan): Promise<VectorOutcome> {
    const { snapshot, scans } = this.#devices.get(name) ?? expect.fail(name)
    const { at, persons, stamp } = made
    const uid = await scannedUid(snapshot, made.uid)
    const scan = {
      accesspoint_id: await this.#point(at),
      hash: await hashUid(snapshot.salt, uid),
      ...(persons && { persons }),
      ...(stamp && { at: Date.parse(stamp) }),
    }
    const ids = new Map(
      await Promise.all(
        Object.keys(this.#points)
          .concat(at)
          .map(async (name) => [name, await this.#point(name)] as const),
      ),
    )
    const own = scans.uncounted(uid, snapshot.exits, (name) => ids.get(name) ?? '')
    const outcome = decide(snapshot, scan, own) ?? expect.fail(at)
    scans.add({ ...made, uid }, outcome)
    return outcome
  }

  async upload(name: string): Promise<number[]> {
    const waiting = this.#devices.get(name)?.scans.takeWaiting() ?? []
    const items = waiting.map(async ({ uid, at, persons, stamp }) => ({
      accesspoint_id: await this.#point(at),
      guest_uid: uid,
      ...(persons && { persons }),
      // Scans of one guest at one point with the same stamp would be the same scan.
      access_stamp: stamp ?? new Date(this.#stamp++).toISOString(),
    }))
    const stored = await this.#event.make('access_controls/batch_create.json', await Promise.all(items))
    for (const { _id, access_status } of stored) if (access_status === 0) this.#granted.push(_id)
    return stored.map(({ access_status }: { access_status: number }) => access_status)
  }
}
