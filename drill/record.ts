import type { Invariant } from './invariants.ts'

/** A guest at a check-in point. */
export interface ScannedGuest {
  uid: string
  point: string
  /** The constant limit; -1 without limit; undefined if it changes, which changing.ts checks. */
  limit: number | undefined
  /** The status of refusals here. */
  refusal: 1 | 2 | 3
}

/** One scan with all its tries. Its unique stamp identifies the stored check-in. */
export interface RecordedScan {
  place: ScannedGuest
  stamp: string
  how: 'single' | 'keyed' | 'batch'
  /** When each try was sent, in ms since the start. */
  sent: number[]
  /** Each answer 201. */
  answers: { _id: string; status: number; at: number }[]
  deletion?: { sent: number; answered: number | undefined }
}

/** A fault of a process. All times in ms since the start. */
export interface InjectedFault {
  what: string
  /** The process. */
  name: string
  from: number
  to: number
  /** When all processes served again; undefined if that took too long. */
  back: number | undefined
}

/** A request with a late answer or none. */
export interface Trouble {
  gateway: string
  what: string
  sentAt: number
  at: number
  /** How long it may take. */
  maxMs: number
}

/** Scans/s of a closed loop. */
export interface ScanRates {
  before: number
  away: number
  back: number
}

/** Violations of one kind: how many, and the first histories. */
export interface Violation {
  invariant: Invariant
  kind: string
  count: number
  histories: string[][]
}

const began = performance.now()
const FIRST_STAMP = Date.now()
/** Histories kept for each kind of violation. */
const KEPT = 5

/** Milliseconds since the start. */
export function now(): number {
  return performance.now() - began
}

/** A time of the drill, or how long something took, for a line of progress. */
export function timeOf(ms: number): string {
  return `${(ms / 1_000).toFixed(1).padStart(6)} s`
}

/** All requests and answers of the load. */
export class Record {
  /** Factor for promised times and rates on a busy machine. */
  readonly slack: number
  readonly scans: RecordedScan[] = []
  readonly faults: InjectedFault[] = []
  readonly violations: Violation[] = []
  readonly statuses = new Map<number, number>()
  /** Answered changes of rights by kind. */
  readonly changes = new Map<string, number>()
  /** The times of successful answers. */
  readonly successes: number[] = []
  readonly closed: Trouble[] = []
  readonly slow: Trouble[] = []
  /** Measured while Redis was kept away at full load. */
  readonly rates: ScanRates[] = []
  slowest = 0
  #stamps = 0

  constructor(slack: number) {
    this.slack = slack
  }

  scan(place: ScannedGuest, how: RecordedScan['how']): RecordedScan {
    const scan: RecordedScan = {
      place,
      how,
      stamp: new Date(FIRST_STAMP + this.#stamps++).toISOString(),
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
