import type { ListedGuest, Party } from '../offline/guest-list.ts'
import type { Problem } from '../server/problems.ts'
import type { Status, StoredScan } from './scan.ts'

/**
 * What the steward sees of a scan. `undecided`: neither the server nor the device knows. `unread`: it is no guest's code. `problem`: the
 * server does not take it. `full`: the device has no room for it, so it is not made. `party`: how many come in has to be said first.
 */
export interface ScanOutcome {
  kind: 'decided' | 'undecided' | 'unread' | 'problem' | 'full' | 'party'
  /** Counts the scans, so that the same outcome of the next scan is another one. */
  number: number
  /** The place of the scan; null if it became none. */
  sequence: number | null
  status: Status | null
  /** Whether the server has recorded it, rather than this device decided it. */
  isConfirmed: boolean
  /** What was read, if it is no guest's code. */
  guest_uid: string | null
  name: string | null
  /** Whether the name is about to come: until then nothing stands for the guest, since the code would be read for the name. */
  isNameAwaited?: true
  category: string | null
  /** Why the server does not take it. */
  problem: Problem | null
  /** The scan as it is known now; null if it became none. */
  scan: StoredScan | null
  /** The party of whom some come in. */
  party?: Party
  /** What was scanned of it: a code, or a guest who was found by name. */
  scanned?: string | ListedGuest
}

/** A longer text fills the screen. */
const LONGEST_SHOWN = 100

/** How an outcome looks, sounds and feels. */
export type Signal =
  | 'granted'
  | 'unconfirmed'
  | 'unknown'
  | 'not_authorized'
  | 'too_many'
  | 'undecided'
  | 'problem'
  | 'party'

/** The signals of the statuses. */
export const SIGNALS = ['granted', 'unknown', 'not_authorized', 'too_many'] as const

/** The outcome of a scan as far as it is known. */
export function outcomeOf(number: number, scan: StoredScan): ScanOutcome {
  const { sequence, access_status, decided_offline, guest_uid, name, category, problem } = scan
  const status = access_status ?? decided_offline
  const kind = problem !== null ? 'problem' : status === null ? 'undecided' : 'decided'
  const isConfirmed = access_status !== null
  return { kind, number, sequence, status, isConfirmed, guest_uid, name, category, problem, scan }
}

/** The outcome of what became no scan. */
export function noScan(number: number, kind: 'unread' | 'full', read: string | null = null): ScanOutcome {
  return {
    kind,
    number,
    sequence: null,
    status: null,
    isConfirmed: false,
    guest_uid: read?.slice(0, LONGEST_SHOWN) ?? null,
    name: null,
    category: null,
    problem: null,
    scan: null,
  }
}

/** Asks how many of a party come in. */
export function partyQuestion(number: number, party: Party, scanned: string | ListedGuest): ScanOutcome {
  const { name, category } = party
  const uid = typeof scanned === 'string' ? scanned : null
  return { ...noScan(number, 'unread', uid), kind: 'party', name, category, party, scanned }
}

/** Whether the guest was let in. */
export function mayEnter({ kind, status }: ScanOutcome): boolean {
  return kind === 'decided' && status === 0
}

/** The signal of an outcome. */
export function signalOf({ kind, status, isConfirmed }: ScanOutcome): Signal {
  if (kind === 'undecided' || kind === 'party') return kind
  if (kind !== 'decided' || status === null) return 'problem'
  return status === 0 && !isConfirmed ? 'unconfirmed' : SIGNALS[status]
}
