import { type AdmissionRows, withRoom } from './admission-rows.ts'
import type { Parties } from './parties.ts'
import { Peaks } from './peaks.ts'
import type { StringTable } from './string-table.ts'

/** How many persons are inside an area, and the most that were at a time. */
export interface Inside {
  inside: number
  peak: number
}

/** The number of the event as a whole, in which all check-in points are that are in no area. */
const WHOLE_EVENT = 0

/**
 * How many persons are inside each area (docs/interface.md 8.28). What each check-in changes there depends on the earlier ones of its guest, in
 * the order of their moments; of one moment, entries come first. So after a check-in has come or gone, that guest's are counted again, with
 * the next read: those of the last half minute come and go with each read.
 */
export class Occupancy {
  readonly #rows: AdmissionRows
  readonly #parties: Parties
  readonly #points: StringTable
  /** The number of each point's area, by the point's. */
  #areaOf: number[] = []
  #areaNumbers = new Map<string, number>()
  /** How many persons are inside, by area. */
  #inside = [0]
  /** By how many persons each check-in has changed its area. */
  #changes = new Int16Array(0)
  /** Guests whose check-ins are to be counted again. */
  readonly #due = new Set<number>()
  /** Undefined as long as the event has no areas. */
  #peaks: Peaks | undefined

  constructor(rows: AdmissionRows, parties: Parties, points: StringTable) {
    this.#rows = rows
    this.#parties = parties
    this.#points = points
  }

  /** A check-in was added. */
  add(row: number): void {
    this.#changes = withRoom(this.#changes, row)
    this.#changes[row] = 0
    this.#due.add(this.#rows.guests[row] as number)
    this.#peaks?.add(row)
  }

  /** A check-in is about to be removed. */
  remove(row: number): void {
    this.#change(row, 0)
    this.#due.add(this.#rows.guests[row] as number)
    this.#peaks?.remove(row)
  }

  /** The party of a guest has changed. */
  recount(guest: number): void {
    this.#due.add(guest)
  }

  /**
   * Returns who is inside each area that somebody has entered, and under null inside the event as a whole, of which no peak is kept.
   *
   * @param areas the area of each check-in point that has one
   */
  read(areas: ReadonlyMap<string, string>): Map<string | null, Inside> {
    if (this.#assign(areas)) this.#begin(areas.size > 0)
    for (const guest of this.#due) this.#count(guest)
    this.#due.clear()
    const peaks = this.#peaks?.read(this.#areaOf, this.#changes) ?? []
    const insideOf = (area: number): Inside => ({ inside: this.#inside[area] ?? 0, peak: peaks[area] ?? 0 })
    return new Map([
      [null, insideOf(WHOLE_EVENT)],
      ...Array.from(this.#areaNumbers, ([id, area]) => [id, insideOf(area)] as const),
    ])
  }

  /** Notes the area of each point. Returns whether that of a known point has changed, or whether these are the first areas. */
  #assign(areas: ReadonlyMap<string, string>): boolean {
    const { strings } = this.#points
    const numberOf = (area: string | undefined) =>
      area === undefined ? WHOLE_EVENT : this.#areaNumbers.getOrInsertComputed(area, () => this.#areaNumbers.size + 1)
    const areaOf = strings.map((point) => numberOf(areas.get(point)))
    const isOther = this.#areaOf.some((area, point) => area !== areaOf[point])
    this.#areaOf = areaOf
    return isOther || (areas.size > 0 && !this.#peaks)
  }

  /** Counts all from the beginning. */
  #begin(hasAreas: boolean): void {
    this.#inside = [0]
    this.#changes.fill(0)
    this.#peaks = hasAreas ? new Peaks(this.#rows) : undefined
    for (let guest = 0; guest < this.#rows.guestCount; guest++) {
      this.#due.add(guest)
      if (this.#peaks) for (const row of this.#rows.ofGuest(guest)) this.#peaks.add(row)
    }
  }

  #count(guest: number): void {
    const { points, persons, moments } = this.#rows
    const party = this.#parties.sizeOf(guest)
    const rows = this.#rows.ofGuest(guest)
    if (rows.length > 1)
      rows.sort(
        (one, other) =>
          (moments[one] as number) - (moments[other] as number) ||
          (persons[other] as number) - (persons[one] as number),
      )
    const inside: number[] = []
    for (const row of rows) {
      const area = this.#areaOf[points[row] as number] ?? WHOLE_EVENT
      const before = inside[area] ?? 0
      const after = Math.max(0, Math.min(before + (persons[row] as number), party))
      inside[area] = after
      this.#change(row, after - before)
    }
  }

  /** Sets by how many persons a check-in changes its area. */
  #change(row: number, by: number): void {
    const before = this.#changes[row] as number
    if (by === before) return
    const area = this.#areaOf[this.#rows.points[row] as number] ?? WHOLE_EVENT
    this.#inside[area] = (this.#inside[area] ?? 0) + by - before
    this.#changes[row] = by
    this.#peaks?.touch(row)
  }
}
