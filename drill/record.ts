/** A guest at a check-in point. */
export interface Place {
  uid: string
  point: string
  /** How often the guest may enter, constant throughout; -1 without limit; undefined where it changes, and another check applies. */
  limit: number | undefined
  /** The status that everybody gets here who does not enter: 1, 2, or 3. */
  refusal: 1 | 2 | 3
}

/** One scan, however often it was sent. Its stamp is its alone, so that what is stored of it can be told. */
export interface Scan {
  place: Place
  stamp: string
  how: 'single' | 'keyed' | 'batch'
  /** When each try was sent, in ms since the start. */
  sent: number[]
  /** Each 201: what it said, and when. */
  answers: { _id: string; status: number; at: number }[]
  deletion?: { sent: number; answered: number | undefined }
}

/** What was done to a process, and for how long the harm lasted. */
export interface Harm {
  what: string
  from: number
  to: number
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
  readonly scans: Scan[] = []
  readonly harms: Harm[] = []
  /** What broke a promise, by kind: how often, and the first histories. */
  readonly violations = new Map<string, { count: number; histories: string[][] }>()
  readonly statuses = new Map<number, number>()
  /** When each request that succeeded was answered. */
  readonly successes: number[] = []
  slowest = 0

  scan(place: Place, how: Scan['how']): Scan {
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

  violation(kind: string, history: (string | undefined)[]): void {
    const known = this.violations.get(kind) ?? { count: 0, histories: [] }
    known.count++
    if (known.histories.length < KEPT) known.histories.push(history.filter((line) => line !== undefined))
    this.violations.set(kind, known)
  }
}
