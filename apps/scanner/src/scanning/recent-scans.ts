import type { Problem } from '../server/problems.ts'
import { mayEnter, outcomeOf } from './outcome.ts'
import type { StoredScan } from './scan.ts'

/** How many of the last scans are listed. */
export const MOST_RECENT = 20
/** How long after a scan the server lets a device undo it, by default. */
const UNDOABLE_MS = 15 * 60_000

/** How far it is with a scan that was undone: the server does not know yet, or has deleted its check-in, or refuses. */
export type Undo = 'waiting' | 'done' | { problem: Problem }

/** The last scans of this device, also those that it does not keep any more since the server has them. */
export class RecentScans {
  #scans: StoredScan[] = []
  readonly #undos = new Map<number, Undo>()

  /** The scans, newest first. */
  all(): readonly StoredScan[] {
    return this.#scans
  }

  /** Adds scans, or what is new of them. */
  add(scans: readonly StoredScan[]): void {
    const all = new Map(this.#scans.map((scan) => [scan.sequence, scan]))
    for (const scan of scans) {
      all.set(scan.sequence, { ...all.get(scan.sequence), ...scan })
      if (!this.#undos.has(scan.sequence)) this.#noteUndo(scan)
    }
    this.#scans = [...all.values()].toSorted((one, other) => other.sequence - one.sequence).slice(0, MOST_RECENT)
  }

  /** Takes what is new of scans that are listed. */
  update(scans: readonly StoredScan[]): void {
    const listed = new Set(this.#scans.map(({ sequence }) => sequence))
    this.add(scans.filter(({ sequence }) => listed.has(sequence)))
    // Nothing is left to delete where the server has let nobody in.
    for (const { sequence, state, access_status } of scans)
      if (this.#undos.get(sequence) === 'waiting' && state !== 'waiting' && access_status !== 0)
        this.#undos.set(sequence, 'done')
  }

  /** Notes that a scan was undone; where the server never had it, that is all. */
  undo({ sequence }: StoredScan, isWaiting: boolean): void {
    this.#undos.set(sequence, isWaiting ? 'waiting' : 'done')
  }

  /** Notes that the server has deleted the check-in of a scan, or why it does not. */
  concludeUndo({ sequence }: StoredScan, problem: Problem | null): void {
    this.#undos.set(sequence, problem === null ? 'done' : { problem })
  }

  /** How far it is with a scan; undefined unless it was undone. */
  undoOf({ sequence }: StoredScan): Undo | undefined {
    return this.#undos.get(sequence)
  }

  /** Whether the steward can undo a scan: it let the guest in, not long ago. */
  isUndoable(scan: StoredScan, now: number): boolean {
    const isKnown = scan.state === 'waiting' || scan.check_in_id !== undefined
    const isFresh = now - Date.parse(scan.access_stamp) < UNDOABLE_MS
    return isKnown && isFresh && mayEnter(outcomeOf(0, scan)) && !this.#undos.has(scan.sequence)
  }

  /** Forgets all scans. */
  clear(): void {
    this.#scans = []
    this.#undos.clear()
  }

  /** What is stored of a scan says how far it was when the app was closed. */
  #noteUndo({ sequence, state, is_undone, undo_problem }: StoredScan): void {
    if (is_undone) this.#undos.set(sequence, state === 'undone' ? 'done' : 'waiting')
    else if (undo_problem !== undefined) this.#undos.set(sequence, { problem: undo_problem })
  }
}
