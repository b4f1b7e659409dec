import type { Invariant } from './invariants.ts'

/** A guest at a check-in point. */
export interface GuestAtPoint {
  uid: string
  point: string
  /** How often the guest may enter, constant throughout; -1 without limit; undefined where it changes, and another check applies. */
  limit: number | undefined
  /** The status that everybody gets here who does not enter: 1, 2, or 3. */
  refusal: 1 | 2 | 3
}

/** One scan, however often it was sent. Its stamp is its alone, so that what is stored of it can be told. */
export interface Scan {
  place: GuestAtPoint
  stamp: string
  how: 'single' | 'keyed' | 'batch'
  /** When each try was sent, in ms since the start. */
  sent: number[]
  /** Each 201: what it said, and when. */
  answers: { _id: string; status: number; at: number }[]
  deletion?: { sent: number; answered: number | undefined }
}

/** What was done to a process. All moments in ms since the start. */
export interface InjectedFault {
  what: string
  /** The process. */
  name: string
  from: number
  to: number
  /** When all served again; undefined when that took too long. */
  back: number | undefined
}

/** A request that got no answer, or a late one. */
export interface Trouble {
  /** Which gateway was asked. */
  gateway: string
  what: string
  sentAt: number
  at: number
}

/** Scans/s of a closed loop. */
export interface Rates {
  before: number
  away: number
  back: number
}

/** What broke a promise, by kind: how often, and the first histories. */
export interface Violation {
  invariant: Invariant
  kind: string
  count: number
  histories: string[][]
}

const began = performance.now()
const FIRST_STAMP = Date.now()
/** Of each kind of violation this many are kept. */
const KEPT = 5

/** Milliseconds since the start. */
export function now(): number {
  return performance.now() - began
}

/** Everything that the load did and was told. */
export class Record {
  /** What may take longer, or be less a second, than was promised: so many times, on a machine that does other things too. */
  readonly slack: number
  readonly scans: Scan[] = []
  readonly faults: InjectedFault[] = []
  readonly violations: Violation[] = []
  readonly statuses = new Map<number, number>()
  /** How many changes of rights of each kind were answered. */
  readonly changes = new Map<string, number>()
  /** When each request that succeeded was answered. */
  readonly successes: number[] = []
  readonly closed: Trouble[] = []
  readonly slow: Trouble[] = []
  /** From the times that Redis was kept away at full load. */
  readonly rates: Rates[] = []
  slowest = 0

  constructor(slack: number) {
    this.slack = slack
  }

  scan(place: GuestAtPoint, how: Scan['how']): Scan {
    const scan: Scan = {
      place,
      how,
      stamp: new Date(FIRST_STAMP + this.scans.length).toISOString(),
      sent: [],
      answers: [],
    }
    this.scans.push(scan)
    return scan
  }

  answered(status: number, sentAt: number, at: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (status >= 200 && status < 300) this.successes.push(at)
    this.slowest = Math.max(this.slowest, at - sentAt)
  }

  changed(kind: string): void {
    this.changes.set(kind, (this.changes.get(kind) ?? 0) + 1)
  }

  violation(invariant: Invariant, kind: string, history: (string | undefined)[]): void {
    let known = this.violations.find((each) => each.invariant === invariant && each.kind === kind)
    if (!known) {
      known = { invariant, kind, count: 0, histories: [] }
      this.violations.push(known)
    }
    known.count++
    if (known.histories.length < KEPT) known.histories.push(history.filter((line) => line !== undefined))
  }
}
