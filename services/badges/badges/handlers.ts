import { notFound } from '@gatehouse/proto/faults.ts'
import type { Handlers } from '@gatehouse/proto/resource.ts'
import type { Guests } from '../guests.ts'
import type { PublicLinks } from '../links.ts'
import type { BadgeMaker } from './maker.ts'
import type { badges } from './resource.ts'
import type { BadgeStore } from './store.ts'

/** Seconds that a browser may show a badge again without asking. */
const MAX_AGE = 60

/** What badges do and refuse. */
export function badgeHandlers(
  store: BadgeStore,
  maker: BadgeMaker,
  guests: Guests,
  links: PublicLinks,
): Handlers<typeof badges> {
  return {
    async read({ params: { event_id, guest_id, secret } }) {
      if (!links.holds(secret, 'badge', event_id, guest_id)) throw notFound()
      const guest = await guests.printed(event_id, guest_id)
      if (!guest?.badge_completed && !guest?.badge_due) throw notFound()
      // Somebody waits for it: it does not wait in the queue. Where it can not be made the one before is still worth something.
      if (guest.badge_due) await maker.make([{ event_id, guest_id }]).catch(() => {})
      const bytes = await store.bytes(event_id, guest_id)
      if (!bytes) throw notFound()
      return { bytes, max_age: MAX_AGE }
    },

    async of_guests({ body: { event_id, guest_ids } }) {
      const found = await store.ofGuests(event_id, guest_ids)
      return found.map(({ _id, guest_id, created_at }) => ({
        guest_id,
        _id,
        name: 'badge.pdf',
        url: links.of('badge', event_id, guest_id),
        content_type: 'application/pdf',
        created_at,
      }))
    },
  }
}
