import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { announceOrders } from '../announcements.ts'
import { announceChange } from '../guests/changes.ts'
import { type GuestFields, printedFields } from '../guests/resource.ts'
import type { BadgeState, StoredGuest } from '../guests/stored-guest.ts'
import type { BadgeOrder } from './resource.ts'
import type { BadgeOrderStore, CategoryKey, Ordered } from './store.ts'

/** The fields whose change makes a badge anew. */
const PRINTED = ['guest_category_id', ...(Object.keys(printedFields) as (keyof typeof printedFields)[])] as const

/** How often the desk looks for what somebody left undone, in milliseconds. */
const RECOVERY_EVERY_MS = 30_000
/** Orders are told together that come within this time, in milliseconds. */
const COLLECT_MS = 20
/** Orders in one announcement. */
const MAX_PER_MESSAGE = 1_000

/** Whether a change of a guest is one of what is printed. */
export function changesBadge(current: StoredGuest, changes: Partial<GuestFields>): boolean {
  return PRINTED.some((field) => changes[field] !== undefined && changes[field] !== current[field])
}

/** What a write adds that makes a guest's badge anew; where none is wanted, the one that there was does not count any more. */
export function ordered(current: Pick<StoredGuest, 'badge_order'>, wanted: boolean, due: Date): BadgeState {
  const badge_order = (current.badge_order ?? 0) + 1
  return { badge_completed: false, badge_order, ...(wanted && { badge_due: due }) }
}

/** Where badges are ordered: tells the badges service of each order, and orders them for whole categories in the background. */
export class BadgeOrderQueue {
  readonly #store: BadgeOrderStore
  readonly #bus: Bus
  readonly #log: Log
  readonly #timer: NodeJS.Timeout
  #unannounced: BadgeOrder[] = []
  #work: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(store: BadgeOrderStore, bus: Bus, log: Log) {
    this.#store = store
    this.#bus = bus
    this.#log = log
    this.#timer = setInterval(() => this.#enqueue(() => this.#takeAbandoned()), RECOVERY_EVERY_MS)
    this.#timer.unref()
  }

  /** Tells of a guest that was stored with an order; of any other, nothing. */
  announce({ _id, event_id, badge_due }: StoredGuest): void {
    if (!badge_due) return
    if (this.#unannounced.push({ event_id, guest_id: _id, due: badge_due }) === 1) {
      setTimeout(() => this.#announceAll(), COLLECT_MS)
    }
  }

  /** Orders a badge for a guest whose category turned out to want one after the guest was stored. */
  async order(guest: StoredGuest): Promise<void> {
    const changed = await this.#store.order(guest, new Date())
    if (!changed) return
    announceChange(this.#bus, { event_id: changed.event_id, uids: [changed.uid], moved_from: null })
    this.announce(changed)
  }

  /** Orders badges for all guests of categories in which it is noted (`badges_due`). */
  orderForAll(categories: CategoryKey[]): void {
    for (const category of categories) this.#enqueue(() => this.#orderCategory(category))
  }

  /** Notes that all guests of an event whose badge has a QR code need a new one; gives their categories. */
  markEvent(event_id: string): Promise<CategoryKey[]> {
    return this.#store.markEvent(event_id)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#work
  }

  #announceAll(): void {
    const orders = this.#unannounced
    this.#unannounced = []
    for (let from = 0; from < orders.length; from += MAX_PER_MESSAGE) {
      announceOrders(this.#bus, orders.slice(from, from + MAX_PER_MESSAGE))
    }
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error) => this.#log.error({ err: error }, 'ordering badges failed'))
  }

  async #takeAbandoned(): Promise<void> {
    for (let category = await this.#store.takeAbandoned(); category; category = await this.#store.takeAbandoned()) {
      if (this.#stopped) return
      await this.#orderCategory(category)
    }
  }

  async #orderCategory(category: CategoryKey): Promise<void> {
    for await (const { event_id, due, guests } of this.#store.orderCategory(category)) {
      this.#announceOrdered({ event_id, due, guests })
      if (this.#stopped) return
    }
  }

  #announceOrdered({ event_id, due, guests }: Ordered): void {
    announceChange(this.#bus, { event_id, uids: guests.map(({ uid }) => uid), moved_from: null })
    for (const { _id } of guests) this.#unannounced.push({ event_id, guest_id: _id, due })
    this.#announceAll()
  }
}
