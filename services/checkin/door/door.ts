import { defaultPersons, entitlementOf } from '@gatehouse/door/decision.ts'
import { toFault, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import { currentSpan, inSharedSpan, traceparentOf } from '@gatehouse/proto/telemetry/tracing.ts'
import { NO_POINT } from '../accesspoints/store.ts'
import type { CheckIn, CheckInStore } from '../check-ins/store.ts'
import { type EntryReports, entriesOf } from '../entries/reports.ts'
import type { CheckInPublisher } from '../publishing/publisher.ts'
import type { AccessCache } from './access-cache.ts'
import { type CachedGuest, type Rights, type Scan, statusNames } from './decision.ts'
import { type DecisionResult, Flusher, type FlushResult, type PreparedScan } from './flush.ts'
import type { FullAreas } from './full-areas.ts'

/** A scan that waits for a flush, and the place of its outcome in its call. */
interface QueuedScan extends PreparedScan {
  readonly call: EnterCall
  readonly index: number
}

const FLUSH_SIZE = 500
/** A second flush starts only if it is full: small ones gain nothing by it. */
const MAX_FLUSHES = 2
/** How long a scan that is in flight waits, after the first time. */
const IN_FLIGHT_PAUSE_MS = 20
/** Each time another scan got in. */
const MAX_LOST = 50
/** Longer than every time-out below it. A flush that hangs in spite of those must not hold up the scans after it. */
const FLUSH_LIMIT_MS = 15_000

/**
 * Decides and stores scans: look up, prepare, flush, publish. Scans are looked up before they queue, so a guest who can't be looked
 * up holds up only the scans of the same call. Single scans do not queue behind those of batches.
 */
export class Door {
  readonly #cache: AccessCache
  readonly #publisher: Pick<CheckInPublisher, 'windowAt'>
  readonly #reports: Pick<EntryReports, 'windowAt'>
  readonly #fullAreas: FullAreas
  readonly #singles: Lane
  readonly #batches: Lane

  constructor(
    cache: AccessCache,
    store: CheckInStore,
    publisher: Pick<CheckInPublisher, 'windowAt'>,
    reports: Pick<EntryReports, 'windowAt'>,
    fullAreas: FullAreas,
    log: Log,
    flushLimitMs = FLUSH_LIMIT_MS,
  ) {
    this.#cache = cache
    this.#publisher = publisher
    this.#reports = reports
    this.#fullAreas = fullAreas
    const flusher = new Flusher(cache, store)
    this.#singles = new Lane(cache, flusher, log, flushLimitMs)
    this.#batches = new Lane(cache, flusher, log, flushLimitMs)
  }

  /** Decides scans of an event, and returns their outcomes in the same order. Rejects with `unavailable` if it is unknown for any whether it is stored. */
  async enter(eventId: string, scans: Scan[], isBatch = false): Promise<DecisionResult[]> {
    if (scans.length === 0) return []
    const at = new Date()
    const notificationWindow = this.#publisher.windowAt(eventId, at)
    const reportWindow = this.#reports.windowAt(eventId, at)
    try {
      await Promise.all([notificationWindow?.begin(), reportWindow.begin()])
      const rights = await this.#cache.rightsOf(eventId)
      const guests = await this.#cache.guestsOf(
        eventId,
        scans.map(({ guest_uid }) => guest_uid),
      )
      const call = new EnterCall(scans.length)
      const lane = isBatch ? this.#batches : this.#singles
      scans.forEach((scan, index) => {
        const queued = { ...prepare(scan, at, guests[index], rights), call, index }
        // The point may be newer than the cache.
        if (rights.accesspoints.has(scan.accesspoint_id)) lane.add(queued)
        else void lane.lookUpAnew(queued)
      })
      const outcomes = await call.done
      const stored = storedBy(outcomes)
      notificationWindow?.complete(stored)
      reportWindow.complete(entriesOf(stored))
      return rights.capacities.size > 0 ? await this.#fullAreas.mark(eventId, rights, outcomes) : outcomes
    } catch (error) {
      reportWindow.abandon()
      notificationWindow?.abandon()
      throw error
    }
  }
}

const NO_ENTITLEMENT = { limit: 0 }

function prepare(scan: Scan, at: Date, guest: CachedGuest | undefined, rights: Rights): PreparedScan {
  const moment = (scan.access_stamp ?? at).getTime()
  const { accesspoint_id, persons = defaultPersons(rights, guest, accesspoint_id) } = scan
  const found = entitlementOf(rights, guest, accesspoint_id, moment)
  const [entitlement, refusal] = 'limit' in found ? [found] : [NO_ENTITLEMENT, found]
  const isExit = rights.exits.has(accesspoint_id)
  const decidedBy = { guest, rights, persons, isExit, entitlement, refusal }
  return { scan, at, ...decidedBy, isVerified: false, lostCount: 0, inFlightCount: 0 }
}

/** The check-ins that these outcomes have stored, each once. */
function storedBy(outcomes: DecisionResult[]): CheckIn[] {
  const stored = new Map<string, CheckIn>()
  for (const outcome of outcomes) {
    if ('checkIn' in outcome && !outcome.repeated) stored.set(outcome.checkIn._id, outcome.checkIn)
  }
  return [...stored.values()]
}

/** Collects the outcomes of one call. */
class EnterCall {
  /** The span of its request, if it is traced. */
  readonly span = currentSpan()
  readonly #answer = Promise.withResolvers<DecisionResult[]>()
  readonly #outcomes: DecisionResult[] = []
  #open: number

  constructor(size: number) {
    this.#open = size
  }

  /** Resolves with the outcomes when there is one for each scan. */
  get done(): Promise<DecisionResult[]> {
    return this.#answer.promise
  }

  settle(index: number, outcome: DecisionResult): void {
    this.#outcomes[index] = outcome
    this.#open--
    if (this.#open === 0) this.#answer.resolve(this.#outcomes)
  }

  fail(error: unknown): void {
    this.#answer.reject(error)
  }
}

/** A queue for flushes: while one is under way, scans gather for the next (group commit). */
class Lane {
  readonly #cache: AccessCache
  readonly #flusher: Flusher
  readonly #log: Log
  readonly #limitMs: number
  readonly #waiting: QueuedScan[] = []
  #flushes = 0

  constructor(cache: AccessCache, flusher: Flusher, log: Log, limitMs: number) {
    this.#cache = cache
    this.#flusher = flusher
    this.#log = log
    this.#limitMs = limitMs
  }

  add(queued: QueuedScan): void {
    const waiting = this.#waiting.push(queued)
    if (this.#flushes > 0 && (this.#flushes === MAX_FLUSHES || waiting < FLUSH_SIZE)) return
    this.#flushes++
    // All scans that arrive in this pass of the event loop go along.
    setImmediate(() => void this.#flushAll())
  }

  /** Looks the guest and the rights of a scan up that are not known to be current, and queues it with them. */
  async lookUpAnew(queued: QueuedScan): Promise<void> {
    const { scan, at, call, index, lostCount } = queued
    try {
      const { rights, guest } = await this.#cache.anew(scan.event_id, scan.guest_uid)
      if (!rights.accesspoints.has(scan.accesspoint_id)) call.settle(index, { errors: NO_POINT })
      else this.add({ ...queued, ...prepare(scan, at, guest, rights), isVerified: true, lostCount: lostCount + 1 })
    } catch (error) {
      call.fail(toFault(error))
    }
  }

  async #flushAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#flush(this.#waiting.splice(0, FLUSH_SIZE))
      if (this.#flushes > 1 && this.#waiting.length < FLUSH_SIZE) break
    }
    this.#flushes--
  }

  async #flush(scans: QueuedScan[]): Promise<void> {
    instruments.flushSize.record(scans.length)
    const begun = performance.now()
    try {
      const results = await inFlushSpan(scans, () => this.#inTime(this.#flusher.flush(scans)))
      const again = scans.flatMap((queued, index) => this.#settle(queued, results[index] as FlushResult) ?? [])
      this.#waiting.unshift(...again)
    } catch (error) {
      this.#log.error({ err: error }, 'flush failed')
      for (const { call } of scans) call.fail(toFault(error))
    } finally {
      instruments.flushDuration.record((performance.now() - begun) / 1_000)
    }
  }

  #inTime<T>(flush: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('the flush hangs')), this.#limitMs)
    return Promise.race([flush, late.promise]).finally(() => clearTimeout(timer))
  }

  /** Returns a scan its outcome, or returns it as it goes into the next flush. */
  #settle(queued: QueuedScan, result: FlushResult): QueuedScan | undefined {
    const { call, index, lostCount, inFlightCount } = queued
    if (typeof result === 'object') {
      if (!result.repeated)
        instruments.decisions.add(1, { status: statusNames[result.checkIn.access_status] as string })
      call.settle(index, result)
      return undefined
    }
    const verified = { ...queued, isVerified: true }
    if (result === 'after another') return verified
    if (result !== 'failed') instruments.retries.add(1, { kind: 'scan' })
    if (result === 'outdated') void this.lookUpAnew(queued)
    else if (result === 'lost' && lostCount < MAX_LOST) return { ...verified, lostCount: lostCount + 1 }
    else if (result === 'in flight') {
      const next = { ...verified, inFlightCount: inFlightCount + 1 }
      if (inFlightCount === 0) return next
      setTimeout(() => this.add(next), IN_FLIGHT_PAUSE_MS)
    } else call.fail(unavailable())
    return undefined
  }
}

/** Runs a flush in one span for all requests whose scans it has: in the trace of one of them, which links to the others, and they to it. */
function inFlushSpan<T>(scans: QueuedScan[], flush: () => Promise<T>): Promise<T> {
  const spans = new Map(scans.flatMap(({ call: { span } }) => (span ? [[traceparentOf(span), span]] : [])))
  const attributes = { 'gatehouse.checkin.flush.size': scans.length }
  return inSharedSpan('checkin.flush', { attributes }, spans.keys(), (flushSpan) => {
    const [, ...others] = spans.values()
    if (flushSpan) for (const other of others) other.addLink({ context: flushSpan.spanContext() })
    return flush()
  })
}
