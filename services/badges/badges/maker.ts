import { createHash } from 'node:crypto'
import { badgeOrders } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Guests, Printed } from '../guests.ts'
import { contentOf } from '../qr-codes/content.ts'
import { drawBadge, type Face, faceOf, LAYOUT } from './page.ts'
import type { BadgeStore, MadeBadge, Owner } from './store.ts'

/** What a maker works with. */
interface MakerOptions {
  bus: Bus
  store: BadgeStore
  guests: Guests
}

/** What came of it when badges were made together. */
export interface Made {
  /** How many were drawn; the others were there already, or nobody waits for them. */
  drawn: number
  /** What it took without the processor's time for drawing, in ms: waiting for processor and database. */
  waitingMs: number
  /** Why some could not be drawn, by the ids of their guests. */
  failed: Map<string, unknown>
}

/** A badge that a guest of an event waits for. */
interface WantedBadge {
  guest: Printed
  face: Face
  version: string
  /** It is stored already. */
  stored: boolean
  /** It was told, too. */
  told: boolean
}

/**
 * Makes the badges that guests are waiting for, those of one event together. It may be asked twice for the same, at the same time too, and be
 * killed at any point: what counts is whether the guest still has the order, and only the badge of the latest order ends it.
 */
export class BadgeMaker {
  readonly #options: MakerOptions
  readonly #orders

  constructor(options: MakerOptions) {
    this.#options = options
    this.#orders = clientOf(options.bus, badgeOrders)
  }

  /** Resolves when none of them waits for a badge that was ordered before, but for those that failed. Throws when something is away. */
  async make(owners: Owner[]): Promise<Made> {
    const begun = performance.now()
    const work = { drawn: 0, processorMs: 0, failed: new Map<string, unknown>() }
    for (const [event_id, own] of Map.groupBy(owners, (owner) => owner.event_id)) {
      let left = [...new Set(own.map(({ guest_id }) => guest_id))]
      // Who was changed meanwhile has another order by now.
      while (left.length > 0) left = await this.#makeOnce(event_id, left, work)
    }
    const { drawn, processorMs, failed } = work
    return { drawn, waitingMs: performance.now() - begun - processorMs, failed }
  }

  /** Makes the badges of an event's guests as they are now; gives those whose order that did not end. */
  async #makeOnce(event_id: string, guest_ids: string[], work: Work): Promise<string[]> {
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

  /** How the badges of guests look. What looks the same as before is not drawn again, and need not be told again. */
  async #wanted(event_id: string, due: Printed[]): Promise<WantedBadge[]> {
    if (due.length === 0) return []
    const { store, guests } = this.#options
    const ids = due.map(({ _id }) => _id)
    // After the guests: an event that ciphers otherwise later orders its badges anew.
    const [ciphering, heads] = await Promise.all([guests.ciphering(event_id), store.ofGuests(event_id, ids)])
    const byGuest = new Map(heads.map((head) => [head.guest_id, head]))
    return due.map((guest) => {
      const face = faceOf(guest, guest.category.badge_qr_code_enabled ? contentOf(guest, ciphering) : null)
      const version = versionOf(face)
      const head = byGuest.get(guest._id)
      const stored = head?.version === version
      return { guest, face, version, stored, told: stored && head.told }
    })
  }
}

/** What was done so far. */
interface Work {
  drawn: number
  /** For drawing. A font with many letters takes long, however idle the machine is. */
  processorMs: number
  failed: Map<string, unknown>
}

/** Draws the badges that are not stored, one after the other. */
async function drawn(wanted: WantedBadge[], work: Work): Promise<MadeBadge[]> {
  const begun = process.threadCpuUsage()
  const made: MadeBadge[] = []
  for (const { guest, face, version, stored } of wanted) {
    if (stored) continue
    try {
      made.push({ guest_id: guest._id, version, badge_order: guest.badge_order, bytes: await drawBadge(face) })
    } catch (error) {
      work.failed.set(guest._id, error)
    }
  }
  work.drawn += made.length
  const { user, system } = process.threadCpuUsage(begun)
  work.processorMs += (user + system) / 1_000
  return made
}

function versionOf(face: Face): string {
  return createHash('sha256')
    .update(JSON.stringify([LAYOUT, face]))
    .digest('hex')
}
