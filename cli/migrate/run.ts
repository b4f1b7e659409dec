import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { recordAct } from '../acts.ts'
import { events } from '../permissions.ts'
import { retried } from '../retry.ts'
import { count } from '../terminal.ts'
import { PartAwayError } from './answers.ts'
import type { Destination, Kind, SourceEvent, Taken } from './kind.ts'
import { kinds, takeEvents } from './kinds.ts'
import { CHUNK } from './reading.ts'
import type { MigrationReport } from './report.ts'
import { idOf, type Source, type SourceItem } from './source.ts'

/** Parts of a list that are stored at once, while the next one is read. */
const WIDTH = 2

/** Where events come from and go to, and what is said of it. */
export interface MigrationOptions {
  source: Source
  bus: Bus
  account_id: string
  /** Only those events; all if it is empty. */
  ids: readonly string[]
  report: MigrationReport
  stop: AbortSignal
  /** Takes things in a way of its own. */
  take?: (kind: Kind, to: Destination, event: SourceEvent, items: SourceItem[]) => Promise<Taken[]>
}

/** The events of the other system that are wanted. Throws one sentence that names those it does not have. */
export async function eventsOf(source: Source, ids: readonly string[]): Promise<SourceEvent[]> {
  const found = (await source.readList('events')).flatMap((event): SourceEvent[] => {
    const _id = idOf(event)
    return _id === undefined ? [] : [{ ...event, _id }]
  })
  const unknown = ids.filter((id) => !found.some(({ _id }) => _id === id))
  if (unknown.length > 0) throw new Error(`There the token reaches no event ${unknown.join(', ')}`)
  return ids.length === 0 ? found : found.filter(({ _id }) => ids.includes(_id))
}

/** Takes over events with all that is in them, or compares them. Each may be done again at any point: nothing comes twice. */
export async function migrate(options: MigrationOptions, compares: boolean): Promise<SourceEvent[]> {
  const { source, bus, account_id, ids, report, stop } = options
  const to: Destination = { bus, account_id, compares }
  const done: SourceEvent[] = []
  for (const event of await eventsOf(source, ids)) {
    stop.throwIfAborted()
    report.begin(event)
    const [taken] = await takeEvents(to, [event])
    report.note('events', [event], taken ? [taken] : [])
    if (!taken || 'errors' in taken) continue
    if (taken.outcome === 'stored') await recordAct(bus, callerOf(account_id), 'guests.guests.import', event._id)
    for (const kind of kinds) await takeKind(options, to, event, kind)
    await compareCounts(options, event)
    done.push(event)
  }
  return done
}

/** Takes all things of a kind. Whether it could: if that part of the other system is away, the kind is left out, and that is noted. */
export async function takeKind(
  options: MigrationOptions,
  to: Destination,
  event: SourceEvent,
  kind: Kind,
): Promise<boolean> {
  try {
    await takeAll(options, to, event, kind)
    return true
  } catch (error) {
    if (!(error instanceof PartAwayError)) throw error
    options.report.differ(`${kind.name} of ${event._id}: left out. ${error.message}`)
    return false
  }
}

/** Takes all things of a kind: reads the next part while the last ones are stored. */
async function takeAll(
  { source, report, stop, take: takeItems }: MigrationOptions,
  to: Destination,
  event: SourceEvent,
  kind: Kind,
): Promise<void> {
  const running: Promise<void>[] = []
  const take = async (items: SourceItem[]): Promise<void> => {
    const taken = await (takeItems ? takeItems(kind, to, event, items) : kind.take(to, event, items))
    report.note(kind.name, items, taken)
    const inner = kind.inner?.of(items) ?? []
    if (kind.inner && inner.length > 0)
      report.note(kind.inner.name, inner, await kind.inner.take(source, to, event, inner))
  }
  report.expect(kind.name, kind.counter && Number(event[kind.counter]))
  try {
    for await (const items of readAhead(inChunks(kind.read(source, event)))) {
      stop.throwIfAborted()
      const work = take(items)
      work.catch(() => {})
      running.push(work)
      if (running.length >= WIDTH) await running.shift()
    }
    await Promise.all(running)
  } finally {
    if (!stop.aborted) await Promise.allSettled(running)
    report.end(kind.name)
  }
}

async function* inChunks<T>(parts: AsyncIterable<T[]>): AsyncGenerator<T[], void> {
  for await (const items of parts)
    for (let from = 0; from < items.length; from += CHUNK) yield items.slice(from, from + CHUNK)
}

/** Reads the next part while the last one is used. */
async function* readAhead<T>(parts: AsyncGenerator<T, void>): AsyncGenerator<T> {
  let next = parts.next()
  for (;;) {
    const part = await next
    if (part.done) return
    next = parts.next()
    next.catch(() => {})
    yield part.value
  }
}

/** Notes where the event here counts others than the event there does now. */
async function compareCounts(
  { source, bus, account_id, report }: MigrationOptions,
  { _id }: SourceEvent,
): Promise<void> {
  const there = await source.readOne(`events/${_id}`)
  const here = await retried(() =>
    clientOf(bus, events).read({ params: { event_id: _id }, caller: callerOf(account_id) }),
  ).catch(() => undefined)
  if (!there || !here) return
  for (const { name, counter } of kinds) {
    const counted = counter && Number(there[counter])
    if (counter && Number.isFinite(counted) && counted !== here[counter])
      report.differ(`${name} of ${_id}: ${count(here[counter], 'is', 'are')} here, ${counted} there`)
  }
}

/** The command line, as a caller of an account. */
export function callerOf(account_id: string) {
  return { account_id, token_id: 'migrate', scope: 'admin' } as const
}
