import type { Move } from '@gatehouse/door/decision.ts'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import type { Admissions } from '../counting/admissions.ts'
import type { EventTotals } from '../counting/event-totals.ts'
import type { ChangeReporter } from './known-guests.ts'

const NONE: readonly Required<Move>[] = []

/** The granted check-ins of guests of an event: a copy of what is counted (docs/adr/0005), which changes only in `refresh`. */
export class KnownUses {
  readonly #totals: EventTotals
  readonly #event_id: string
  readonly #byUid = new Map<string, readonly Required<Move>[]>()
  /** What was read completely, the last time. */
  #admissions: Admissions | undefined

  constructor(totals: EventTotals, event_id: string) {
    this.#totals = totals
    this.#event_id = event_id
  }

  /** The guests who were let in or out. */
  uids(): Iterable<string> {
    return this.#byUid.keys()
  }

  /** Where and when a guest was let in and out. */
  movesOf(uid: string): readonly Required<Move>[] {
    return this.#byUid.get(uid) ?? NONE
  }

  /** Reads what has changed before the call. */
  refresh(mark: ChangeReporter): Promise<void> {
    return this.#totals.readAdmissions(this.#event_id, async (admissions) => {
      const recounted = admissions.takeRecounted(this)
      const isKnown = admissions === this.#admissions && recounted !== undefined
      this.#admissions = undefined
      const uids = isKnown ? recounted : new Set([...this.#byUid.keys(), ...admissions.uids])
      await timeSlicer.map(uids, (uid) => this.#put(uid, admissions.movesOf(uid), mark))
      this.#admissions = admissions
    })
  }

  #put(uid: string, moves: readonly Required<Move>[], mark: ChangeReporter): void {
    if (isSame(this.movesOf(uid), moves)) return
    if (moves.length > 0) this.#byUid.set(uid, moves)
    else this.#byUid.delete(uid)
    mark(uid)
  }
}

function isSame(some: readonly Required<Move>[], others: readonly Required<Move>[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ accesspoint_id, at, persons, isExit }, index) => {
      const other = others[index] as Required<Move>
      return (
        accesspoint_id === other.accesspoint_id &&
        at === other.at &&
        persons === other.persons &&
        isExit === other.isExit
      )
    })
  )
}
