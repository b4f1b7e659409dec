import { setTimeout as sleep } from 'node:timers/promises'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { events } from '../permissions.ts'
import { retried } from '../retry.ts'
import { count } from '../terminal.ts'
import type { Destination, Inner, Kind, SourceEvent, Taken } from './kind.ts'
import { kinds, takeEvents } from './kinds.ts'
import { CHUNK } from './reading.ts'
import { callerOf, eventsOf, type MigrationOptions, migrate, takeKind } from './run.ts'
import { idOf, type SourceItem } from './source.ts'

/** How long it rests before it looks for news again. */
const NEWS_EVERY_MS = 2_000
/** What was being written there while it was read may have an earlier time. */
const MARGIN_MS = 60_000
const LINE_EVERY_MS = 60_000

interface FollowOptions extends MigrationOptions {
  /** How long it rests before it compares everything again. */
  compareEveryMs: number
  say: (line: string) => void
}

/**
 * Keeps events here equal to those of the other system after they were taken over, until it is stopped. News are read all the time; what has no
 * times, and what was deleted, is found by comparing everything. What was changed or deleted here stays so, and is reported once.
 */
export class Follower {
  readonly #options: FollowOptions
  readonly #to: Destination
  /** The ids that have come from there, by kind of an event: one of them that is not here was deleted here. */
  readonly #known = new Map<string, Set<string>>()
  /** The ids that were here and not there when everything was compared last. */
  readonly #lacking = new Map<string, Set<string>>()
  /** When what is here was read there, by the clock there. */
  readonly #readAt = new Map<string, Date>()
  /** The ids of things that could not be taken. */
  readonly #refused = new Set<string | undefined>()
  #events: SourceEvent[] = []
  #comparedAt = performance.now()

  constructor(options: FollowOptions) {
    const { bus, account_id } = options
    this.#options = { ...options, take: (...given) => this.#take(...given) }
    this.#to = { bus, account_id, compares: false }
  }

  /** Takes everything over for the first time. */
  async begin(): Promise<void> {
    const begun = this.#options.source.now()
    this.#events = await migrate(this.#options, false)
    for (const event of this.#events) for (const kind of kinds) this.#readAt.set(keyOf(event, kind), begun)
    this.#comparedAt = performance.now()
  }

  /** Follows until it is stopped. Whatever fails is said, and done again. */
  async follow(): Promise<void> {
    const { report, compareEveryMs } = this.#options
    report.followFromNow()
    await Promise.all([
      this.#repeat(NEWS_EVERY_MS, () => this.#readNews()),
      this.#repeat(compareEveryMs, () => this.#compare()),
      this.#repeat(LINE_EVERY_MS, () => this.#sayLag()),
    ])
    report.printTotals()
  }

  async #repeat(everyMs: number, work: () => Promise<void>): Promise<void> {
    const { stop, say } = this.#options
    while (!stop.aborted) {
      await sleep(everyMs, undefined, { signal: stop }).catch(() => {})
      if (stop.aborted) return
      try {
        await work()
      } catch (error) {
        if (!stop.aborted) say(`${error instanceof Error ? error.message : error}; trying again`)
      }
    }
  }

  /** Takes the newest things of each kind that shows them, until a page holds nothing new. */
  async #readNews(): Promise<void> {
    const { source, stop, report } = this.#options
    for (const event of this.#events) {
      for (const kind of kinds) {
        const key = keyOf(event, kind)
        const begun = source.now()
        const since = new Date((this.#readAt.get(key) ?? begun).getTime() - MARGIN_MS)
        if (!kind.readNews) continue
        for await (const items of kind.readNews(source, event, since)) {
          stop.throwIfAborted()
          const taken = await this.#takeNews(kind, event, items)
          report.note(kind.name, items, taken)
          const isNews = taken.some((each) => 'outcome' in each && /^(stored|updated)$/.test(each.outcome))
          // Of things changed since a time, each page may hold news; some systems ignore that filter.
          const isFiltered = kind.name === 'guests' && items.every((item) => isSince(item, since))
          if (!isNews && !isFiltered) break
        }
        this.#readAt.set(key, begun)
      }
    }
  }

  /** Takes new things. If some that were not refused before are refused, what they refer to may be new too: it is read, and they are taken again. */
  async #takeNews(kind: Kind, event: SourceEvent, items: SourceItem[]): Promise<Taken[]> {
    const taken = await this.#take(kind, this.#to, event, items)
    const refused = items.filter((_, index) => 'errors' in (taken[index] as Taken)).map(idOf)
    if (refused.every((id) => this.#refused.has(id))) return taken
    for (const id of refused) this.#refused.add(id)
    for (const each of kinds.slice(0, kinds.indexOf(kind)))
      if (!each.readNews) await takeKind(this.#options, this.#to, event, each)
    return this.#take(kind, this.#to, event, items)
  }

  /** Compares everything, and deletes what is gone there. */
  async #compare(): Promise<void> {
    const { source, ids, stop } = this.#options
    for (const event of await eventsOf(source, ids)) {
      if (!this.#events.some(({ _id }) => _id === event._id)) {
        const begun = source.now()
        const found = await migrate({ ...this.#options, ids: [event._id] }, false)
        this.#events.push(...found)
        for (const kind of kinds) this.#readAt.set(keyOf(event, kind), begun)
        continue
      }
      if (!(await this.#takeEvent(event))) continue
      const there = new Map<string, Set<string>>()
      const seen = (name: string, items: SourceItem[]): void => {
        const ids = there.getOrInsertComputed(name, () => new Set())
        for (const item of items) ids.add(idOf(item) ?? '')
      }
      const take: MigrationOptions['take'] = (kind, to, of, items) => {
        seen(kind.name, items)
        if (kind.inner) seen(kind.inner.name, kind.inner.of(items))
        return this.#take(kind, to, of, items)
      }
      const read: Kind[] = []
      for (const kind of kinds) if (await takeKind({ ...this.#options, take }, this.#to, event, kind)) read.push(kind)
      // What stands in others or refers to them goes first.
      for (const kind of read.flatMap((each) => [each, ...(each.inner ? [each.inner] : [])]).toReversed()) {
        stop.throwIfAborted()
        await this.#removeGone(event, kind, there.get(kind.name) ?? new Set())
      }
    }
    this.#comparedAt = performance.now()
  }

  /** Takes what has changed of an event itself. False if it was deleted here. */
  async #takeEvent(event: SourceEvent): Promise<boolean> {
    const [compared] = await takeEvents({ ...this.#to, compares: true }, [event])
    const differs = compared && 'outcome' in compared && compared.outcome === 'differs'
    const [taken] = differs ? await takeEvents(this.#to, [event]) : [compared]
    if (taken) this.#options.report.note('events', [event], [taken])
    return taken !== undefined && 'outcome' in taken && taken.outcome !== 'missing'
  }

  /** Takes things, of which those that are known to have come are compared first: one that was deleted here stays so. */
  async #take(kind: Kind, to: Destination, event: SourceEvent, items: SourceItem[]): Promise<Taken[]> {
    const known = this.#known.getOrInsertComputed(keyOf(event, kind), () => new Set())
    const [old, fresh] = [items.filter((item) => isIn(known, item)), items.filter((item) => !isIn(known, item))]
    const outcomes = new Map<SourceItem, Taken>()
    const compared = old.length > 0 ? await kind.take({ ...to, compares: true }, event, old) : []
    for (const [index, taken] of compared.entries()) outcomes.set(old[index] as SourceItem, taken)
    const changed = old.filter((item) => {
      const taken = outcomes.get(item)
      return taken && (!('outcome' in taken) || taken.outcome === 'differs')
    })
    const given = [...fresh, ...changed]
    const adopted = given.length > 0 ? await kind.take(to, event, given) : []
    for (const [index, item] of given.entries()) {
      const taken = adopted[index] as Taken
      outcomes.set(item, taken)
      if ('outcome' in taken) known.add(idOf(item) ?? '')
    }
    return items.map((item) => outcomes.get(item) as Taken)
  }

  /**
   * Deletes here what is gone there: what two readings in a row do not show, since pages shift while they are read, and what the other system does not
   * show by its id either. A list that is empty there deletes nothing.
   */
  async #removeGone(event: SourceEvent, kind: Kind | Inner, there: Set<string>): Promise<void> {
    const { gone, name } = kind
    if (!gone) return
    const { source, report } = this.#options
    const key = keyOf(event, kind)
    const before = this.#lacking.get(key) ?? new Set()
    const lacking = new Set<string>()
    for await (const id of gone.here(this.#to, event)) if (!there.has(id)) lacking.add(id)
    this.#lacking.set(key, lacking)
    const counted = 'counter' in kind && kind.counter ? Number(event[kind.counter]) : 0
    if (there.size === 0 || there.size < counted) return
    const twice = [...lacking].filter((id) => before.has(id))
    for (let from = 0; from < twice.length; from += CHUNK) {
      const ids: string[] = []
      for (const id of twice.slice(from, from + CHUNK)) {
        const isKnown = this.#known.get(key)?.has(id)
        if (!isKnown || !(await gone.isThere?.(source, event, id))) ids.push(id)
      }
      const outcomes = await gone.disown(this.#to, event, ids)
      report.noteGone(name, ids, outcomes)
    }
  }

  /** Says what came of each kind, and how far this is behind. */
  async #sayLag(): Promise<void> {
    const { source, report, say } = this.#options
    const news = report.takeNews()
    const now = source.now().getTime()
    const lines = kinds.flatMap((kind) => {
      if (!kind.readNews) return news.get(kind.name) ? [`${kind.name} ${news.get(kind.name)}`] : []
      const oldest = Math.min(...this.#events.map((event) => this.#readAt.get(keyOf(event, kind))?.getTime() ?? now))
      const age = count(Math.max(0, Math.round((now - oldest) / 1_000)), 'second')
      return [`${kind.name} ${news.get(kind.name) || 'nothing new'}, as of ${age} ago`]
    })
    const behind = await this.#behind()
    const compared = count(Math.round((performance.now() - this.#comparedAt) / 60_000), 'minute')
    say([new Date().toISOString(), ...lines, ...behind, `everything compared ${compared} ago`].join('; '))
  }

  /** How many more things of a kind are counted there than here. */
  async #behind(): Promise<string[]> {
    const { source, bus, account_id } = this.#options
    const missing = new Map<string, number>()
    for (const { _id } of this.#events) {
      const there = await source.readOne(`events/${_id}`)
      const call = { params: { event_id: _id }, caller: callerOf(account_id) }
      const here = await retried(() => clientOf(bus, events).read(call))
      for (const { name, counter } of kinds) {
        const more = counter && there ? Number(there[counter]) - here[counter] : 0
        if (more > 0) missing.set(name, (missing.get(name) ?? 0) + more)
      }
    }
    return [...missing].map(([name, more]) => `${name} ${more.toLocaleString('en')} behind`)
  }
}

function keyOf({ _id }: SourceEvent, { name }: Pick<Kind, 'name'>): string {
  return `${_id}/${name}`
}

function isIn(known: Set<string>, item: SourceItem): boolean {
  return known.has(idOf(item) ?? '')
}

function isSince({ updated_at }: SourceItem, since: Date): boolean {
  return typeof updated_at === 'string' && Date.parse(updated_at) >= since.getTime()
}
