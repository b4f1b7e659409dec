import { createHash } from 'node:crypto'
import { badgeOrders } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import type { Guests, Printed } from '../guests.ts'
import { contentOf } from '../qr-codes/content.ts'
import { drawBadge, type Face, faceOf, LAYOUT } from './page.ts'
import type { BadgeHead, BadgeStore, Owner } from './store.ts'

/** What a maker works with. */
interface MakerOptions {
  bus: Bus
  store: BadgeStore
  guests: Guests
}

/**
 * Makes the badge that a guest is waiting for. It may be asked twice for the same, at the same time too, and be killed at any point: what
 * counts is whether the guest still has the order, and only the badge of the latest order ends it.
 */
export class BadgeMaker {
  readonly #options: MakerOptions
  readonly #orders

  constructor(options: MakerOptions) {
    this.#options = options
    this.#orders = clientOf(options.bus, badgeOrders)
  }

  /** Resolves when the guest waits for nothing any more. Throws when something is away. */
  async make({ event_id, guest_id }: Owner): Promise<void> {
    const { store, guests } = this.#options
    for (;;) {
      const guest = await guests.printed(event_id, guest_id)
      if (!guest) return store.forget(event_id, [guest_id])
      if (!guest.badge_due) return
      const badge = guest.category.badge_enabled ? await this.#print(event_id, guest) : undefined
      const order = { event_id, guest_id, badge_order: guest.badge_order }
      const { done } = await this.#orders.complete({
        body: { ...order, made: badge !== undefined, told: badge?.told ?? false },
      })
      if (done && badge && !badge.told) await store.markTold(event_id, guest_id, badge.version)
      // Whether that ended the order, or the guest was changed meanwhile, the next round sees.
    }
  }

  /** Sees to it that the badge is stored. What looks the same is not drawn again, and need not be told again. */
  async #print(event_id: string, guest: Printed): Promise<Pick<BadgeHead, 'version' | 'told'>> {
    const { store, guests } = this.#options
    // After the guest: an event that ciphers otherwise later orders its badges anew.
    const qr_code = guest.category.badge_qr_code_enabled ? contentOf(guest, await guests.ciphering(event_id)) : null
    const face = faceOf(guest, qr_code)
    const version = versionOf(face)
    const stored = await store.head(event_id, guest._id)
    if (stored?.version === version) return stored
    const { badge_order } = guest
    await store.put({ event_id, guest_id: guest._id, version, badge_order, bytes: await drawBadge(face) })
    return { version, told: false }
  }
}

function versionOf(face: Face): string {
  return createHash('sha256')
    .update(JSON.stringify([LAYOUT, face]))
    .digest('hex')
}
