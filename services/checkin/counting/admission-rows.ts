const FIRST_SIZE = 1_024
/** Small, since what is not used yet takes memory too. */
const GROWTH = 1.25
/** The end of a list of rows. */
const END = -1

/** Returns a column that has room for a row: the same one, or a larger copy. */
export function withRoom<C extends Float64Array | Uint32Array | Int32Array | Int16Array>(column: C, row: number): C {
  if (row < column.length) return column
  const Column = column.constructor as new (size: number) => C
  const larger = new Column(Math.max(FIRST_SIZE, Math.ceil((row + 1) * GROWTH)))
  larger.set(column)
  return larger
}

/** Granted check-ins in columns, 22 bytes each: an event may have a million. Guests and points are numbers. */
export class AdmissionRows {
  /** The stamp of each check-in, in ms. */
  moments = new Float64Array(0)
  guests = new Uint32Array(0)
  points = new Uint32Array(0)
  /** Negative for those who go out. */
  persons = new Int16Array(0)
  /** The next row of the same guest, or the next free row. */
  #next = new Int32Array(0)
  /** The latest row of each guest. */
  #latest = new Int32Array(0)
  #guestCount = 0
  #free = END
  #size = 0

  /** Adds a check-in and returns the number of its row. Negative persons go out. */
  add(guest: number, point: number, moment: number, persons: number): number {
    const row = this.#take()
    this.moments[row] = moment
    this.guests[row] = guest
    this.points[row] = point
    this.persons[row] = persons
    if (guest >= this.#guestCount) this.#makeRoomFor(guest)
    this.#next[row] = this.#latest[guest] as number
    this.#latest[guest] = row
    return row
  }

  /** Removes a row, fastest if it is the latest of its guest. Its number is used again. */
  remove(row: number): void {
    const guest = this.guests[row] as number
    const after = this.#next[row] as number
    let at = this.#latest[guest] as number
    if (at === row) this.#latest[guest] = after
    else {
      while (this.#next[at] !== row) at = this.#next[at] as number
      this.#next[at] = after
    }
    this.#next[row] = this.#free
    this.#free = row
  }

  /** The rows of a guest, latest addition first. */
  ofGuest(guest: number): number[] {
    const rows: number[] = []
    if (guest >= this.#guestCount) return rows
    for (let row = this.#latest[guest] as number; row !== END; row = this.#next[row] as number) rows.push(row)
    return rows
  }

  /** Guests with larger numbers have no rows. */
  get guestCount(): number {
    return this.#guestCount
  }

  #take(): number {
    const row = this.#free
    if (row !== END) {
      this.#free = this.#next[row] as number
      return row
    }
    const added = this.#size++
    this.moments = withRoom(this.moments, added)
    this.guests = withRoom(this.guests, added)
    this.points = withRoom(this.points, added)
    this.persons = withRoom(this.persons, added)
    this.#next = withRoom(this.#next, added)
    return added
  }

  #makeRoomFor(guest: number): void {
    this.#latest = withRoom(this.#latest, guest)
    this.#latest.fill(END, this.#guestCount, guest + 1)
    this.#guestCount = guest + 1
  }
}
