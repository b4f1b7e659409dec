import { isDeepStrictEqual } from 'node:util'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { CategoryKey } from '../guest-categories/store.ts'
import { announceChange } from '../guests/changes.ts'
import { type GuestFields, printedFields } from '../guests/resource.ts'
import type { BadgeState, StoredGuest } from '../guests/stored-guest.ts'
import * as topics from '../topics.ts'
import type { BadgeOrder } from './resource.ts'
import type { BadgeOrderStore } from './store.ts'

/** The fields whose change makes a badge anew. */
const PRINTED = ['guest_category_id', ...(Object.keys(printedFields) as (keyof typeof printedFields)[])] as const

/** How often interrupted orders of categories are looked for. */
const RECOVERY_EVERY_MS = 30_000
/** Orders within this time share an announcement. */
const COLLECT_MS = 20
/** Orders in one announcement. */
const MAX_PER_MESSAGE = 1_000

/** Whether a change of a guest makes its badge anew. */
export function changesBadge(current: StoredGuest, changes: Partial<GuestFields>): boolean {
  return PRINTED.some((field) => changes[field] !== undefined && changes[field] !== (current[field] ?? null))
}

/** Whether a change of a guest changes its metadata, which badges by templates may show. */
export function changesMetadata(current: StoredGuest, { guest_metadata }: Partial<GuestFields>): boolean {
  return guest_metadata !== undefined && !isDeepStrictEqual(guest_metadata, current.guest_metadata ?? [])
}

/**
 * The fields which order a badge, in the write which changes the guest; if none is wanted, they invalidate the current badge. Nobody is told of the
 * completion of a quiet order.
 */
export function ordered(
  current: Pick<StoredGuest, 'badge_order'>,
  { wanted, due, isQuiet = false }: { wanted: boolean; due: Date; isQuiet?: boolean },
): BadgeState {
  const badge_order = (current.badge_order ?? 0) + 1
  return {
    badge_completed: false,
    badge_order,
    ...(wanted && { badge_due: due }),
    ...(isQuiet && { quiet_badge_order: badge_order }),
  }
}

/** Whether nobody is told that a guest's badge is completed: whoever had to know of it knows it from another system. */
export function isQuietlyMade({ badge_order, quiet_badge_order }: StoredGuest): boolean {
  return quiet_badge_order !== undefined && quiet_badge_order === badge_order
}

/** Orders badges: announces each order to the badges service, and orders badges of whole categories in the background. */
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

  /** Announces the order of a guest, if it has one. */
  announce({ _id, event_id, badge_due }: StoredGuest): void {
    if (!badge_due) return
    if (this.#unannounced.push({ event_id, guest_id: _id, due: badge_due }) === 1) {
      setTimeout(() => this.#announceAll(), COLLECT_MS)
    }
  }

  /** Orders a badge for a stored guest without an order. */
  async order(guest: StoredGuest): Promise<void> {
    const changed = await this.#store.order(guest, new Date())
    if (!changed) return
    announceChange(this.#bus, { event_id: changed.event_id, uids: [changed.uid], moved_from: null })
    this.announce(changed)
  }

  /** Orders badges for all guests of categories that are marked so (`badges_due`). */
  orderForAll(categories: CategoryKey[]): void {
    for (const category of categories) this.#enqueue(() => this.#orderCategory(category))
  }

  /** Marks the categories of an event whose badges have a QR code, and returns them: all their guests need new badges. */
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
      this.#bus.announce(topics.badgesDue, orders.slice(from, from + MAX_PER_MESSAGE))
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
      announceChange(this.#bus, { event_id, uids: guests.map(({ uid }) => uid), moved_from: null })
      for (const { _id } of guests) this.#unannounced.push({ event_id, guest_id: _id, due })
      this.#announceAll()
      if (this.#stopped) return
    }
  }
}
