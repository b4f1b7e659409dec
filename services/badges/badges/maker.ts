import { createHash } from 'node:crypto'
import { badgeOrders, guests as guestResource } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import type { DomainEvents } from '@gatehouse/proto/domain.ts'
import { Fault } from '@gatehouse/proto/faults.ts'
import type { Guests, Printed } from '../guests.ts'
import { contentOf } from '../qr-codes/content.ts'
import { drawBadge, type Face, faceOf, LAYOUT } from './page.ts'
import type { BadgeStore, Owner } from './store.ts'

/** What a maker works with. */
interface MakerOptions {
  bus: Bus
  store: BadgeStore
  guests: Guests
  domain: DomainEvents
}

/**
 * Makes the badge that a guest is waiting for. It may be asked twice for the same, at the same time too, and be killed at any point: what
 * counts is whether the guest still has the order, and only the badge of the latest order ends it.
 */
export class BadgeMaker {
  readonly #options: MakerOptions
  readonly #orders
  readonly #guestClient

  constructor(options: MakerOptions) {
    this.#options = options
    this.#orders = clientOf(options.bus, badgeOrders)
    this.#guestClient = clientOf(options.bus, guestResource)
  }

  /** Resolves when the guest waits for nothing any more. Throws when something is away. */
  async make({ event_id, guest_id }: Owner): Promise<void> {
    const { store, guests } = this.#options
    for (;;) {
      const guest = await guests.printed(event_id, guest_id)
      if (!guest) return store.forget(event_id, [guest_id])
      if (!guest.badge_due) return this.#tellOnce(event_id, guest)
      const made = guest.category.badge_enabled
      if (made) await this.#print(event_id, guest)
      await this.#orders.complete({ body: { event_id, guest_id, badge_order: guest.badge_order, made } })
      // Whether that ended the order, or the guest was changed meanwhile, the next round sees.
    }
  }

  /** Sees to it that the badge is stored. What looks the same is not drawn again. */
  async #print(event_id: string, guest: Printed): Promise<void> {
    const { store, guests } = this.#options
    // After the guest: an event that ciphers otherwise later orders its badges anew.
    const qr_code = guest.category.badge_qr_code_enabled ? contentOf(guest, await guests.ciphering(event_id)) : null
    const face = faceOf(guest, qr_code)
    const version = versionOf(face)
    const { badge_order } = guest
    if ((await store.head(event_id, guest._id))?.version !== version) {
      await store.put({ event_id, guest_id: guest._id, version, badge_order, bytes: await drawBadge(face) })
    }
  }

  /** Tells that a badge is completed: once for each version, unless this process dies between telling and noting it. */
  async #tellOnce(event_id: string, { _id: guest_id, badge_completed }: Printed): Promise<void> {
    const { store, domain } = this.#options
    const badge = badge_completed ? await store.head(event_id, guest_id) : null
    if (!badge || badge.told) return
    const guest = await this.#guestClient
      .read({ params: { event_id, id: guest_id }, query: { guest_metadata: true, qrcode_url: true } })
      .catch(unlessGone)
    if (guest) await domain.publish({ type: 'badge.completed', event_id, items: [guest] })
    await store.markTold(event_id, guest_id, badge.version)
  }
}

function versionOf(face: Face): string {
  return createHash('sha256')
    .update(JSON.stringify([LAYOUT, face]))
    .digest('hex')
}

function unlessGone(error: unknown): undefined {
  if (error instanceof Fault && error.code === 'not_found') return undefined
  throw error
}
