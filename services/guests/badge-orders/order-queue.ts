import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { announceOrders } from '../announcements.ts'
import { announceChange } from '../guests/changes.ts'
import type { BadgeState, GuestFields, StoredGuest } from '../guests/store.ts'
import type { BadgeOrder } from './resource.ts'
import type { BadgeOrderStore, CategoryKey, Ordered } from './store.ts'

/** What a badge shows or its QR code holds. */
const PRINTED = [
  'guest_category_id',
  'uid',
  'first_name',
  'last_name',
  'company_name',
  'position',
  'email',
  'phone_number',
] as const

/** How often the desk looks for what somebody left undone, in milliseconds. */
const ROUND_MS = 30_000
/** Orders are told together that come within this time, in milliseconds. */
const GATHER_MS = 20
/** Orders in one announcement. */
const TOLD = 1_000

/** Whether a change of a guest is one of what is printed. */
export function changesPrint(current: StoredGuest, changes: Partial<GuestFields>): boolean {
  return PRINTED.some((field) => changes[field] !== undefined && changes[field] !== current[field])
}

/** What a write adds that makes a guest's badge anew; where none is wanted, the one that there was does not count any more. */
export function ordered(current: Pick<StoredGuest, 'badge_order'>, wanted: boolean, due: Date): BadgeState {
  const badge_order = (current.badge_order ?? 0) + 1
  return { badge_completed: false, badge_order, ...(wanted && { badge_due: due }) }
}

/** Where badges are ordered: tells the badges service of each order, and orders them for whole categories in the background. */
export class BadgeDesk {
  readonly #store: BadgeOrderStore
  readonly #bus: Bus
  readonly #log: Log
  readonly #rounds: NodeJS.Timeout
  #untold: BadgeOrder[] = []
  #work: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(store: BadgeOrderStore, bus: Bus, log: Log) {
    this.#store = store
    this.#bus = bus
    this.#log = log
    this.#rounds = setInterval(() => this.#enqueue(() => this.#goRound()), ROUND_MS)
    this.#rounds.unref()
  }

  /** Tells of a guest that was stored with an order; of any other, nothing. */
  tell({ _id, event_id, badge_due }: StoredGuest): void {
    if (!badge_due) return
    if (this.#untold.push({ event_id, guest_id: _id, due: badge_due }) === 1) {
      setTimeout(() => this.#tellAll(), GATHER_MS)
    }
  }

  /** Orders a badge for a guest whose category turned out to want one after the guest was stored. */
  async order(guest: StoredGuest): Promise<void> {
    const changed = await this.#store.order(guest, new Date())
    if (!changed) return
    announceChange(this.#bus, { event_id: changed.event_id, uids: [changed.uid], moved_from: null })
    this.tell(changed)
  }

  /** Orders badges for all guests of categories in which it is noted (`badges_due`). */
  orderForAll(categories: CategoryKey[]): void {
    for (const category of categories) this.#enqueue(() => this.#orderCategory(category))
  }

  /** Notes that all guests of an event whose badge has a QR code need a new one; gives their categories. */
  noteEvent(event_id: string): Promise<CategoryKey[]> {
    return this.#store.noteEvent(event_id)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#rounds)
    await this.#work
  }

  #tellAll(): void {
    const orders = this.#untold
    this.#untold = []
    for (let from = 0; from < orders.length; from += TOLD) {
      announceOrders(this.#bus, orders.slice(from, from + TOLD))
    }
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error) => this.#log.error({ err: error }, 'ordering badges failed'))
  }

  async #goRound(): Promise<void> {
    for (let category = await this.#store.takeAbandoned(); category; category = await this.#store.takeAbandoned()) {
      if (this.#stopped) return
      await this.#orderCategory(category)
    }
  }

  async #orderCategory(category: CategoryKey): Promise<void> {
    for await (const { event_id, due, guests } of this.#store.orderCategory(category)) {
      this.#announce({ event_id, due, guests })
      if (this.#stopped) return
    }
  }

  #announce({ event_id, due, guests }: Ordered): void {
    announceChange(this.#bus, { event_id, uids: guests.map(({ uid }) => uid), moved_from: null })
    for (const { _id } of guests) this.#untold.push({ event_id, guest_id: _id, due })
    this.#tellAll()
  }
}
