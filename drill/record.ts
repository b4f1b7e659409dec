import type { Invariant } from './invariants.ts'
import type { ScanAttempt, ScannerEnding, Shown, Weather } from './scanner/attempts.ts'

/** A guest at a check-in point. */
export interface ScannedGuest {
  uid: string
  point: string
  /** The constant limit in persons; -1 without limit; undefined if it changes, which changing.ts checks. */
  limit: number | undefined
  /** The size of the guest's party; 1 by default. */
  party?: number
  /** The status of refusals here. */
  refusal: 1 | 2 | 3
}

/** One scan with all its tries. Its unique stamp identifies the stored check-in. */
export interface RecordedScan {
  place: ScannedGuest
  stamp: string
  how: 'single' | 'keyed' | 'batch'
  /** How many come in. */
  persons: number
  /** When each try was sent, in ms since the start, as are all times below. */
  sent: number[]
  /** Each answer 201. */
  answers: { _id: string; status: number; at: number }[]
  deletion?: { sent: number; answered: number | undefined }
}

/** A fault of a process. */
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

/** A time in which a partner may send no e-mails: from the answer until the request that ends it. */
export interface Halt {
  partner: string
  from: number
  to: number
  /** How often the requests of the partner were sent: what a first try does may come later. */
  tried: number
}

/** An address to which no e-mails may be sent any more, and when that was answered. */
export interface Stop {
  why: 'blocked' | 'unsubscribed'
  address: string
  at: number
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

/** All requests and answers of a drill. */
export class DrillRecord {
  /** Factor for promised times and rates on a busy machine. */
  readonly slack: number
  readonly faults: InjectedFault[] = []
  readonly violations: Violation[] = []
  readonly statuses = new Map<number, number>()
  /** The times of successful answers. */
  readonly successes: number[] = []
  readonly closed: Trouble[] = []
  readonly slow: Trouble[] = []
  slowest = 0

  readonly scans: RecordedScan[] = []
  /** Answered changes of rights by kind. */
  readonly changes = new Map<string, number>()
  /** Scans/s before Redis was kept away at full load, without it, and when it was back. */
  readonly rates: { before: number; away: number; back: number }[] = []
  #stamps = 0

  /** What partners were answered about each recipient: the invitation, or null for one beyond a quota. By campaign and address. */
  readonly answers = new Map<string, Map<string, string | null>>()
  /** When each accepted invitation was answered first, by its id. */
  readonly acceptedAt = new Map<string, number>()
  /** Acceptances of recipients that were answered, by invitation; the guest of each has this name. */
  readonly acceptances = new Map<string, { address: string; last_name: string }>()
  readonly halts: Halt[] = []
  readonly stops: Stop[] = []
  batches = 0
  repeats = 0
  /** What the lists of all campaigns count at the end. */
  invitations: { [counter: string]: number } = {}

  /** Leads and signatures that were answered. */
  readonly collected: { kind: 'lead' | 'signature'; _id: string; at: number }[] = []
  /** How many deliveries the webhook had got a few seconds before a backup began, and when everything was killed. */
  readonly delivered = { settled: 0, killed: 0 }
  /** What a restore took back. */
  undone = { scans: 0, collected: 0, invitations: 0 }
  /** What was sent again and came again after it, as it may. */
  again = { scans: 0, mails: 0, deliveries: 0 }

  /** What stewards have scanned and their screens have shown. */
  readonly attempts: ScanAttempt[] = []
  readonly endings: ScannerEnding[] = []
  /** Tabs that were killed, by scanner. */
  readonly kills: number[] = []
  /** What became of the requests of each scanner. */
  weather: Weather[] = []

  constructor(slack: number) {
    this.slack = slack
  }

  /** Begins a scan; of a party with one to three persons unless their number is given. */
  scan(
    place: ScannedGuest,
    how: RecordedScan['how'],
    persons = place.party ? 1 + (this.#stamps % 3) : 1,
  ): RecordedScan {
    const stamp = new Date(FIRST_STAMP + this.#stamps++).toISOString()
    const scan: RecordedScan = { place, how, stamp, persons, sent: [], answers: [] }
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

  /** Notes what a batch was answered about a recipient. */
  told({ id, name }: { id: string; name: string }, address: string, invitation: string | null): void {
    const ofCampaign = this.answers.getOrInsertComputed(id, () => new Map())
    const before = ofCampaign.get(address)
    if (before && before !== invitation) {
      this.violation('accounted', 'an accepted recipient is answered otherwise later', [
        `${address} of ${name}: first ${before}, then ${invitation ?? 'beyond the quota'}`,
      ])
    }
    // A place may be given back between two attempts.
    if (!before) ofCampaign.set(address, invitation)
    if (invitation && !this.acceptedAt.has(invitation)) this.acceptedAt.set(invitation, now())
  }

  /** Recipients who were accepted. */
  get accepted(): number {
    return [...this.answers.values()].reduce((sum, each) => sum + [...each.values()].filter(Boolean).length, 0)
  }

  /** A steward begins to scan. */
  attempt(
    made: Pick<ScanAttempt, 'scanner' | 'point' | 'uid' | 'how' | 'persons'>,
    begun: number = Date.now(),
  ): ScanAttempt {
    const attempt: ScanAttempt = { ...made, begun, answered: undefined, isCutShort: false, shown: [] }
    this.attempts.push(attempt)
    return attempt
  }

  /** A screen has shown something of a scan. */
  show(attempt: ScanAttempt, shown: Shown, at: number): void {
    if (attempt.answered === undefined) {
      attempt.answered = at
      this.successes.push(now())
    }
    attempt.shown.push(shown)
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
