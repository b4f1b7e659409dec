import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Collection, Db } from 'mongodb'
import type { CheckIn, CheckInStore } from '../check-ins/store.ts'
import type { guests } from '../permissions.ts'
import { entryMoment } from './first-entries.ts'

/** Says that guests may come in, or lose an entry; it is stored before the write, and deleted when guests has heard of it. */
interface StoredReport {
  _id: string
  event_id: string
  /** When its check-ins arrive. */
  at: Date
  until: Date
  /** The guests whose entries change; absent if check-ins from `at` until `until` say it. */
  uids?: string[]
}

/** A guest who has come in, or whose entries have changed. */
interface ChangedEntry {
  event_id: string
  uid: string
  /** When it came in, if that is all that changed. */
  at: Date | undefined
  window: ReportWindow
}

/** One report stands for the entries of an event within this time. */
const WINDOW_MS = 10_000
/** How long entries are collected before guests hears of them, and how many it hears of at once. */
const COLLECT_MS = 300
const CHUNK = 500
const RETRY_MS = 500
/** Entries that wait in memory; those beyond are read again from the store. */
const MAX_WAITING = 50_000
/** A report this old is abandoned: no flush takes as long. Few are read together: one may stand for thousands of check-ins. */
const ABANDONED_MS = 20_000
const ABANDONED_TOGETHER = 3
const LOOK_MS = 5_000
/** How long the end of a process waits for guests to hear of the last entries. */
const STOP_TIMEOUT_MS = 2_000

/**
 * Tells guests whose entries have changed, which reads these and stores the first one with each guest. As with domain events, a write for each scan
 * is not needed for none to be lost (docs/adr/0006): a report stands for those within ten seconds, and one that is left behind is followed by whichever
 * process finds it.
 */
export class EntryReports {
  readonly #reports: Collection<StoredReport>
  readonly #store: CheckInStore
  readonly #guests: Client<typeof guests>
  readonly #log: Log
  readonly #current = new Map<string, ReportWindow>()
  readonly #waiting: ChangedEntry[] = []
  readonly #recovering: Poller
  #telling: Promise<void> | undefined

  constructor(db: Db, store: CheckInStore, guestClient: Client<typeof guests>, log: Log) {
    this.#reports = db.collection('entry_reports')
    this.#store = store
    this.#guests = guestClient
    this.#log = log
    this.#recovering = new Poller({
      everyMs: LOOK_MS,
      look: (signal) => this.#recover(signal),
      onError: (error) => log.warn({ err: error }, 'reports of entries cannot be followed'),
    })
  }

  async prepare(): Promise<void> {
    await this.#reports.createIndex({ until: 1 })
  }

  /** Begins to follow reports that were left behind. */
  start(): void {
    this.#recovering.wake()
  }

  /** Tells guests of the last entries, up to a time limit: the reports are on disk. */
  async stop(): Promise<void> {
    for (const window of this.#current.values()) window.end()
    const late = sleep(STOP_TIMEOUT_MS, undefined, { ref: false })
    await Promise.race([Promise.all([this.#recovering.stop(), this.#telling]), late])
  }

  /** The window of the check-ins of an event that arrive at `at`. */
  windowAt(event_id: string, at: Date): ReportWindow {
    const current = this.#current.get(event_id)
    if (current?.takes(at)) return current
    current?.end()
    const until = new Date(at.getTime() + WINDOW_MS)
    const window = this.#open({ _id: randomUUID(), event_id, at, until })
    this.#current.set(event_id, window)
    setTimeout(() => {
      window.end()
      if (this.#current.get(event_id) === window) this.#current.delete(event_id)
    }, WINDOW_MS).unref()
    return window
  }

  /** Does a write that changes the entries of these guests otherwise than by adding check-ins. */
  async changing<T>(event_id: string, uids: string[], write: () => Promise<T>): Promise<T> {
    const at = new Date()
    const window = this.#open({ _id: randomUUID(), event_id, at, until: at, uids })
    const begun = window.begin()
    // It stands for this write alone.
    window.end()
    await begun
    try {
      const written = await write()
      window.complete(uids.map((uid) => ({ uid, at: undefined })))
      return written
    } catch (error) {
      window.abandon()
      throw error
    }
  }

  #open(report: StoredReport): ReportWindow {
    const { _id, event_id } = report
    const written = this.#reports.insertOne(report)
    const remove = () => void this.#reports.deleteOne({ _id }).catch(() => {})
    const window = new ReportWindow(report, written, remove, (entries) => {
      const room = this.#waiting.length + entries.length <= MAX_WAITING
      if (room) for (const { uid, at } of entries) this.#waiting.push({ event_id, uid, at, window })
      this.#telling ??= this.#tell()
      return room
    })
    // The window takes no entry.
    written.catch(() => window.end())
    return window
  }

  /** Tells guests of what waits, one chunk of an event after the other. It rests as long as each took: scans go first. */
  async #tell(): Promise<void> {
    await sleep(COLLECT_MS, undefined, { ref: false })
    for (let begun = performance.now(); this.#waiting.length > 0; begun = performance.now()) {
      const chunk = this.#take()
      const { event_id } = chunk[0] as ChangedEntry
      const isHeard = await this.#note(event_id, chunk).then(
        () => true,
        (error) => {
          this.#log.warn({ err: error, event_id }, 'guests did not hear of entries, and will once more')
          return false
        },
      )
      for (const { window } of chunk) window.told(isHeard)
      const took = performance.now() - begun
      await sleep(this.#waiting.length < CHUNK ? Math.max(COLLECT_MS, took) : took, undefined, { ref: false })
    }
    this.#telling = undefined
  }

  /** The next entries of one event. */
  #take(): ChangedEntry[] {
    const event_id = this.#waiting[0]?.event_id
    const other = this.#waiting.findIndex((each) => each.event_id !== event_id)
    return this.#waiting.splice(0, Math.min(CHUNK, other === -1 ? CHUNK : other))
  }

  async #note(event_id: string, changed: Pick<ChangedEntry, 'uid' | 'at'>[]): Promise<void> {
    const body = { event_id, entries: changed.map(({ uid, at }) => ({ uid, ...(at && { at }) })) }
    const note = () => this.#guests.note_entries({ body })
    await note().catch(async () => {
      await sleep(RETRY_MS, undefined, { ref: false })
      await note()
    })
  }

  /** Follows reports that were left behind; whether there were any. */
  async #recover(signal: AbortSignal): Promise<boolean> {
    const abandoned = { until: { $lt: new Date(Date.now() - ABANDONED_MS) } }
    const reports = await this.#reports.find(abandoned).sort({ until: 1 }).limit(ABANDONED_TOGETHER).toArray()
    for (const { _id, event_id, at, until, uids } of reports) {
      const changed = uids?.map((uid) => ({ uid, at: undefined })) ?? (await this.#entriesWithin(event_id, at, until))
      for (let from = 0; from < changed.length; from += CHUNK) {
        if (signal.aborted) return false
        await this.#note(event_id, changed.slice(from, from + CHUNK))
      }
      await this.#reports.deleteOne({ _id })
    }
    return reports.length > 0
  }

  async #entriesWithin(event_id: string, at: Date, until: Date): Promise<Pick<ChangedEntry, 'uid' | 'at'>[]> {
    return entriesOf(await this.#store.arrivedWithin(event_id, at, until))
  }
}

/** The entries of an event within some seconds, which one report stands for. */
export class ReportWindow {
  readonly #report: StoredReport
  readonly #written: Promise<unknown>
  readonly #remove: () => void
  readonly #collect: (entries: Pick<ChangedEntry, 'uid' | 'at'>[]) => boolean
  #working = 0
  #untold = 0
  #isOpen = true
  /** Guests has heard of everything, or will by this process. */
  #isComplete = true

  constructor(
    report: StoredReport,
    written: Promise<unknown>,
    remove: () => void,
    collect: (entries: Pick<ChangedEntry, 'uid' | 'at'>[]) => boolean,
  ) {
    this.#report = report
    this.#written = written
    this.#remove = remove
    this.#collect = collect
  }

  /** Whether check-ins that arrive at `at` are among its own. */
  takes(at: Date): boolean {
    return this.#isOpen && at >= this.#report.at && at < this.#report.until
  }

  /** Resolves when the report is on disk: then check-ins may be stored. Either `complete` or `abandon` follows, in any case. */
  begin(): Promise<unknown> {
    this.#working++
    return this.#written
  }

  /** These entries have changed. */
  complete(entries: Pick<ChangedEntry, 'uid' | 'at'>[]): void {
    this.#working--
    if (entries.length > 0) {
      if (this.#collect(entries)) this.#untold += entries.length
      else this.#isComplete = false
    }
    this.#finish()
  }

  /** It is unknown what changed: the report stays. */
  abandon(): void {
    this.#isComplete = false
    this.#working--
    this.#finish()
  }

  /** Guests has heard of one of the entries, or has not. */
  told(isHeard: boolean): void {
    this.#untold--
    this.#isComplete &&= isHeard
    this.#finish()
  }

  /** Closes the window to further entries. */
  end(): void {
    this.#isOpen = false
    this.#finish()
  }

  #finish(): void {
    if (!this.#isOpen && this.#working + this.#untold === 0 && this.#isComplete) this.#remove()
  }
}

/** The guests whom check-ins have let in. */
export function entriesOf(checkIns: readonly CheckIn[]): { uid: string; at: Date }[] {
  return checkIns.flatMap((checkIn) => {
    const at = checkIn.access_status === ACCESS_GRANTED ? entryMoment(checkIn) : undefined
    return at ? [{ uid: checkIn.guest_uid, at }] : []
  })
}
