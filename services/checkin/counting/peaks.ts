import { type AdmissionRows, withRoom } from './admission-rows.ts'
import { minuteOf } from './totals.ts'

/** The end of a list of rows. */
const END = -1

/** What a minute changes in an area: by how many persons in all, and the highest number after any of its moments, from its beginning. */
interface Change {
  sum: number
  highest: number
}

/**
 * The most persons that were inside each area at a time. What each minute changes is kept, so that a read counts again only minutes in which
 * check-ins have come or gone.
 */
export class Peaks {
  readonly #rows: AdmissionRows
  /** The latest row of each minute. */
  readonly #latest = new Map<number, number>()
  /** The rows before and after a row in its minute. */
  #next = new Int32Array(0)
  #previous = new Int32Array(0)
  readonly #due = new Set<number>()
  /** By minute and area. */
  readonly #changes = new Map<number, Map<number, Change>>()

  constructor(rows: AdmissionRows) {
    this.#rows = rows
  }

  /** A check-in was added. */
  add(row: number): void {
    const minute = this.#minuteOf(row)
    const next = this.#latest.get(minute) ?? END
    this.#next = withRoom(this.#next, row)
    this.#previous = withRoom(this.#previous, row)
    this.#next[row] = next
    this.#previous[row] = END
    if (next !== END) this.#previous[next] = row
    this.#latest.set(minute, row)
    this.#due.add(minute)
  }

  /** A check-in is about to be removed. */
  remove(row: number): void {
    const minute = this.#minuteOf(row)
    const [next, previous] = [this.#next[row] as number, this.#previous[row] as number]
    if (next !== END) this.#previous[next] = previous
    if (previous !== END) this.#next[previous] = next
    else if (next !== END) this.#latest.set(minute, next)
    else this.#latest.delete(minute)
    this.#due.add(minute)
  }

  /** What a check-in changes is another number. */
  touch(row: number): void {
    this.#due.add(this.#minuteOf(row))
  }

  /**
   * Returns the most persons that were inside each area, by its number.
   *
   * @param areaOf the number of each point's area
   * @param changes by how many persons each check-in has changed its area
   */
  read(areaOf: number[], changes: Int16Array): number[] {
    for (const minute of this.#due) this.#count(minute, areaOf, changes)
    this.#due.clear()
    const inside: number[] = []
    const peaks: number[] = []
    const minutes = [...this.#changes.keys()].sort((one, other) => one - other)
    for (const minute of minutes) {
      for (const [area, { sum, highest }] of this.#changes.get(minute) ?? []) {
        const before = inside[area] ?? 0
        peaks[area] = Math.max(peaks[area] ?? 0, before + highest)
        inside[area] = before + sum
      }
    }
    return peaks
  }

  #count(minute: number, areaOf: number[], changes: Int16Array): void {
    const { moments, points } = this.#rows
    const rows: number[] = []
    for (let row = this.#latest.get(minute) ?? END; row !== END; row = this.#next[row] as number)
      if (changes[row] !== 0 && areaOf[points[row] as number]) rows.push(row)
    if (rows.length === 0) {
      this.#changes.delete(minute)
      return
    }
    rows.sort((one, other) => (moments[one] as number) - (moments[other] as number))
    const byArea = new Map<number, Change>()
    /** Areas that change in the moment at hand: nobody was inside between two changes of one moment. */
    const changing = new Set<Change>()
    for (const [index, row] of rows.entries()) {
      const area = areaOf[points[row] as number] as number
      const change = byArea.getOrInsertComputed(area, () => ({ sum: 0, highest: Number.NEGATIVE_INFINITY }))
      change.sum += changes[row] as number
      changing.add(change)
      const next = rows[index + 1]
      if (next !== undefined && moments[next] === moments[row]) continue
      for (const each of changing) each.highest = Math.max(each.highest, each.sum)
      changing.clear()
    }
    this.#changes.set(minute, byArea)
  }

  #minuteOf(row: number): number {
    return minuteOf(this.#rows.moments[row] as number)
  }
}
