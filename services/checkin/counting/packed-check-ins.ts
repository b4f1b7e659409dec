import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import type { StringTable } from './string-table.ts'
import type { CountedCheckIn } from './totals.ts'

/** The numbers of check-in points and guests. */
export interface StringTables {
  points: StringTable
  /** Guests who are let in; undefined if only check-ins are counted. */
  guests: StringTable | undefined
}

/**
 * Guests who were let in, by point, as numbers: a point, how many guests, those guests; the next point … A guest takes two bytes while
 * an event has let in up to 65,536 guests, and four beyond.
 */
export type GuestsByPoint = Uint16Array | Uint32Array

const SMALL = 2 ** 16

/** Packs guests by point. */
export function pack(byPoint: readonly [point: number, guests: number[]][]): GuestsByPoint {
  const packed = new Uint32Array(byPoint.reduce((sum, [, guests]) => sum + 2 + guests.length, 0))
  let at = 0
  for (const [point, guests] of byPoint) {
    packed[at] = point
    packed[at + 1] = guests.length
    packed.set(guests, at + 2)
    at += 2 + guests.length
  }
  return packed.every((number) => number < SMALL) ? new Uint16Array(packed) : packed
}

/** Calls for each guest at each point. */
export function forEachGuest(packed: GuestsByPoint, call: (guest: number, point: number) => void): void {
  for (let at = 0; at < packed.length; ) {
    const [point, count] = [packed[at] as number, packed[at + 1] as number]
    for (const guest of packed.subarray(at + 2, at + 2 + count)) call(guest, point)
    at += 2 + count
  }
}

/** How many check-ins there is room for at first, and the factor by which that grows. */
const FIRST_SIZE = 16
const GROWTH = 1.5

/** Check-ins in columns, 25 bytes each: thousands are read at once in a rush. Refused ones have no guest. */
export class PackedCheckIns implements Iterable<CountedCheckIn> {
  readonly #strings: StringTables
  #size = 0
  #arrivals = new Float64Array(FIRST_SIZE)
  #stamps = new Float64Array(FIRST_SIZE)
  #points = new Uint32Array(FIRST_SIZE)
  #guests = new Uint32Array(FIRST_SIZE)
  #statuses = new Uint8Array(FIRST_SIZE)

  constructor(strings: StringTables) {
    this.#strings = strings
  }

  /** The number of check-ins. */
  get size(): number {
    return this.#size
  }

  add({ arrival, stamp, accesspoint_id, guest_uid, access_status }: CountedCheckIn): void {
    const { points, guests } = this.#strings
    const guest = guests && access_status === ACCESS_GRANTED ? guests.numberOf(guest_uid) : 0
    this.#put(arrival, stamp, points.numberOf(accesspoint_id), guest, access_status)
  }

  /** Adds check-ins of another one with the same string tables that arrived from `from` until before `before`. */
  append(other: PackedCheckIns, from = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY): this {
    for (let index = 0; index < other.#size; index++) {
      const arrival = other.#arrivals[index] as number
      if (arrival >= from && arrival < before) this.#copy(other, index)
    }
    return this
  }

  /** The check-ins that arrived before a time, and the others. */
  split(time: number): [earlier: PackedCheckIns, later: PackedCheckIns] {
    const [earlier, later] = [new PackedCheckIns(this.#strings), new PackedCheckIns(this.#strings)]
    return [earlier.append(this, undefined, time), later.append(this, time)]
  }

  /** The check-ins in slices of this many ms of arrival, by the time at which a slice begins: a multiple of its length. */
  slices(ms: number): Map<number, PackedCheckIns> {
    const slices = new Map<number, PackedCheckIns>()
    for (let index = 0; index < this.#size; index++) {
      const from = Math.floor((this.#arrivals[index] as number) / ms) * ms
      slices.getOrInsertComputed(from, () => new PackedCheckIns(this.#strings)).#copy(this, index)
    }
    return slices
  }

  /** The guests who were let in, by point; needs a string table of guests. */
  guestsByPoint(): GuestsByPoint {
    const byPoint = new Map<number, number[]>()
    for (let index = 0; index < this.#size; index++) {
      if (!isGranted(this.#statuses[index] as number)) continue
      byPoint.getOrInsertComputed(this.#points[index] as number, () => []).push(this.#guests[index] as number)
    }
    return pack([...byPoint])
  }

  /** In the order in which they were added; the uid is empty where no guest is held. */
  *[Symbol.iterator](): Generator<CountedCheckIn> {
    const { points, guests } = this.#strings
    for (let index = 0; index < this.#size; index++) {
      const access_status = this.#statuses[index] as number
      const isHeld = guests && isGranted(access_status)
      yield {
        arrival: this.#arrivals[index] as number,
        stamp: this.#stamps[index] as number,
        accesspoint_id: points.strings[this.#points[index] as number] as string,
        guest_uid: isHeld ? (guests.strings[this.#guests[index] as number] as string) : '',
        access_status,
      }
    }
  }

  #copy(other: PackedCheckIns, index: number): void {
    this.#put(
      other.#arrivals[index] as number,
      other.#stamps[index] as number,
      other.#points[index] as number,
      other.#guests[index] as number,
      other.#statuses[index] as number,
    )
  }

  #put(arrival: number, stamp: number, point: number, guest: number, status: number): void {
    if (this.#size === this.#statuses.length) this.#grow(Math.ceil(this.#size * GROWTH))
    this.#arrivals[this.#size] = arrival
    this.#stamps[this.#size] = stamp
    this.#points[this.#size] = point
    this.#guests[this.#size] = guest
    this.#statuses[this.#size] = status
    this.#size++
  }

  /** `transfer` frees the old columns at once, without the garbage collector. */
  #grow(room: number): void {
    this.#arrivals = new Float64Array(this.#arrivals.buffer.transfer(room * Float64Array.BYTES_PER_ELEMENT))
    this.#stamps = new Float64Array(this.#stamps.buffer.transfer(room * Float64Array.BYTES_PER_ELEMENT))
    this.#points = new Uint32Array(this.#points.buffer.transfer(room * Uint32Array.BYTES_PER_ELEMENT))
    this.#guests = new Uint32Array(this.#guests.buffer.transfer(room * Uint32Array.BYTES_PER_ELEMENT))
    this.#statuses = new Uint8Array(this.#statuses.buffer.transfer(room))
  }
}

function isGranted(status: number): boolean {
  return status === ACCESS_GRANTED
}
