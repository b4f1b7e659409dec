import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Guests, Printed } from '../guests.ts'
import type { Owner } from '../owners.ts'
import { badgeOrders } from '../permissions.ts'
import type { BadgeDesigns, DesignedBadge } from './designs.ts'
import type { BadgeStore, MadeBadge } from './store.ts'

/** Fonts and PDF are loaded for the first badge: they would take a third of the start of the process. */
const drawing = () => import('./pdf.ts')

interface MakerOptions {
  bus: Bus
  store: BadgeStore
  guests: Guests
  designs: BadgeDesigns
}

/** The result of making badges together. */
export interface MakingResult {
  /** How many were drawn. The others were stored already or are no longer ordered. */
  drawn: number
  /** Elapsed time less processor time of drawing, in ms: waiting for processor and database. */
  waitingMs: number
  /** The errors of badges that could not be drawn, by guest id. */
  failed: Map<string, unknown>
}

/** An ordered badge. */
interface WantedBadge extends DesignedBadge {
  /** Whether it is stored already. */
  stored: boolean
  /** Whether its completion was published, too. */
  told: boolean
}

/**
 * Makes ordered badges, those of one event together. It may be called twice for the same guest, also concurrently, and be killed at any
 * point: the order stays in the guest until the badge of the latest order is stored.
 */
export class BadgeMaker {
  readonly #options: MakerOptions
  readonly #orders

  constructor(options: MakerOptions) {
    this.#options = options
    this.#orders = clientOf(options.bus, badgeOrders)
  }

  /**
   * Makes all badges of these guests that were ordered before the call, unless drawing fails. Throws if a service or the store is away.
   */
  async make(owners: Owner[]): Promise<MakingResult> {
    const begun = performance.now()
    const work = { drawn: 0, processorMs: 0, failed: new Map<string, unknown>() }
    for (const [event_id, own] of Map.groupBy(owners, (owner) => owner.event_id)) {
      let left = [...new Set(own.map(({ guest_id }) => guest_id))]
      // A guest who was changed meanwhile has a new order.
      while (left.length > 0) left = await this.#makeOnce(event_id, left, work)
    }
    const { drawn, processorMs, failed } = work
    return { drawn, waitingMs: performance.now() - begun - processorMs, failed }
  }

  /** Makes the badges of an event's guests as they are now. Returns the guests who have a newer order. */
  async #makeOnce(event_id: string, guest_ids: string[], work: DrawingTotals): Promise<string[]> {
    const { store, guests } = this.#options
    const found = await Promise.all(guest_ids.map((id) => guests.printed(event_id, id)))
    const gone = guest_ids.filter((_, index) => !found[index])
    if (gone.length > 0) await store.deleteOfGuests(event_id, gone)
    const due = found.flatMap((guest) => (guest?.badge_due ? [guest] : []))
    const wanted = await this.#wanted(
      event_id,
      due.filter(({ category }) => category.badge_enabled),
    )
    await store.put(event_id, await drawn(wanted, work))

    const byId = new Map(wanted.map((each) => [each.guest._id, each]))
    const orders = due
      .filter(({ _id }) => !work.failed.has(_id))
      .map(({ _id: guest_id, badge_order }) => {
        const badge = byId.get(guest_id)
        return { guest_id, badge_order, made: badge !== undefined, told: badge?.told ?? false }
      })
    if (orders.length === 0) return []
    const { guest_ids: ended } = await this.#orders.complete({ body: { event_id, orders } })
    const isEnded = new Set(ended)
    const told = wanted.filter(({ guest, told }) => isEnded.has(guest._id) && !told)
    await store.markPublished(
      event_id,
      told.map(({ guest, version }) => ({ guest_id: guest._id, version })),
    )
    return orders.flatMap(({ guest_id }) => (isEnded.has(guest_id) ? [] : [guest_id]))
  }

  /** How guests' badges look. An unchanged badge is neither drawn nor published again. */
  async #wanted(event_id: string, due: Printed[]): Promise<WantedBadge[]> {
    if (due.length === 0) return []
    const { store, designs } = this.#options
    const [badges, heads] = await Promise.all([
      designs.of(event_id, due),
      store.ofGuests(
        event_id,
        due.map(({ _id }) => _id),
      ),
    ])
    const byGuest = new Map(heads.map((head) => [head.guest_id, head]))
    return badges.map((badge) => {
      const head = byGuest.get(badge.guest._id)
      const stored = head?.version === badge.version
      return { ...badge, stored, told: stored && head.told }
    })
  }
}

/** Running totals. */
interface DrawingTotals {
  drawn: number
  /** Of drawing. A font with many letters takes long even on an idle machine. */
  processorMs: number
  failed: Map<string, unknown>
}

/** Draws the badges that are not stored, one after the other. */
async function drawn(wanted: WantedBadge[], work: DrawingTotals): Promise<MadeBadge[]> {
  const { pdfOf } = await drawing()
  const begun = process.threadCpuUsage()
  const made: MadeBadge[] = []
  for (const { guest, page, version, stored } of wanted) {
    if (stored) continue
    try {
      const bytes = await pdfOf(page)
      made.push({ guest_id: guest._id, version, badge_order: guest.badge_order, bytes })
    } catch (error) {
      work.failed.set(guest._id, error)
    }
  }
  work.drawn += made.length
  const { user, system } = process.threadCpuUsage(begun)
  work.processorMs += (user + system) / 1_000
  return made
}
