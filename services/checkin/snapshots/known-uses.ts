import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import type { Admissions } from '../counting/admissions.ts'
import type { EventTotals } from '../counting/event-totals.ts'
import type { ChangeReporter } from './known-guests.ts'

type Uses = ReturnType<Admissions['timesOf']>

const NONE: Uses = []

/** How often guests of an event were let in at its check-in points: a copy of what is counted (docs/adr/0005), which changes only in `refresh`. */
export class KnownUses {
  readonly #totals: EventTotals
  readonly #event_id: string
  readonly #byUid = new Map<string, Uses>()
  /** What was read completely, the last time. */
  #admissions: Admissions | undefined

  constructor(totals: EventTotals, event_id: string) {
    this.#totals = totals
    this.#event_id = event_id
  }

  /** Where a guest was let in, and how often. */
  get(uid: string): Uses {
    return this.#byUid.get(uid) ?? NONE
  }

  /** Reads what has changed before the call. */
  refresh(mark: ChangeReporter): Promise<void> {
    return this.#totals.readAdmissions(this.#event_id, async (admissions) => {
      const recounted = admissions.takeRecounted(this)
      const isKnown = admissions === this.#admissions && recounted !== undefined
      this.#admissions = undefined
      const uids = isKnown ? recounted : new Set([...this.#byUid.keys(), ...admissions.uids])
      await timeSlicer.map(uids, (uid) => this.#put(uid, admissions.timesOf(uid), mark))
      this.#admissions = admissions
    })
  }

  #put(uid: string, uses: Uses, mark: ChangeReporter): void {
    if (isSame(this.get(uid), uses)) return
    if (uses.length > 0) this.#byUid.set(uid, uses)
    else this.#byUid.delete(uid)
    mark(uid)
  }
}

function isSame(one: Uses, other: Uses): boolean {
  return (
    one.length === other.length &&
    one.every(([id, times], index) => id === other[index]?.[0] && times === other[index]?.[1])
  )
}
