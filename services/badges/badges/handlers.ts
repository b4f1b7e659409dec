import { notFound, notYet } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { Guests } from '../guests.ts'
import type { PublicLinks } from '../links.ts'
import type { Owner } from '../owners.ts'
import type { BadgeMaker } from './maker.ts'
import type { badges } from './resource.ts'
import type { BadgeStore } from './store.ts'

/** Seconds for which a browser may cache a badge. */
const MAX_AGE = 60

/** `Retry-After` of a badge that is not made yet, in seconds. */
const RETRY_AFTER = 1

/** The parts of a public link. */
interface PublicLink extends Owner {
  secret: string
}

/** The handlers of badges. */
export function badgeHandlers(
  store: BadgeStore,
  maker: BadgeMaker,
  guests: Guests,
  links: PublicLinks,
): Handlers<typeof badges> {
  /** The badge behind a public link, made now if it was ordered. Throws `not_found` if there is none. */
  async function opened({ event_id, guest_id, secret }: PublicLink): Promise<Uint8Array> {
    if (!links.holds(secret, 'badge', event_id, guest_id)) throw notFound()
    const guest = await guests.printed(event_id, guest_id)
    if (!guest?.badge_completed && !guest?.badge_due) throw notFound()
    // A person is waiting, so the badge does not wait in the queue. If it cannot be made, the previous one is better than none.
    const isMade = !guest.badge_due || (await isMadeNow({ event_id, guest_id }))
    const bytes = await store.bytes(event_id, guest_id)
    if (!bytes) throw isMade ? notFound() : notYet(RETRY_AFTER)
    return bytes
  }

  /** Makes an ordered badge. False if that failed; the queue retries it. */
  async function isMadeNow(owner: Owner): Promise<boolean> {
    const made = await maker.make([owner]).catch(() => undefined)
    return made !== undefined && made.failed.size === 0
  }

  return {
    async read({ params }) {
      await opened(params)
      return { location: links.ofBadgeFile(params.event_id, params.guest_id) }
    },

    async file({ params }) {
      return { bytes: await opened(params), max_age: MAX_AGE }
    },

    async of_guests({ body: { event_id, guest_ids } }) {
      const found = await store.ofGuests(event_id, guest_ids)
      return found.map(({ _id, guest_id, created_at }) => ({
        guest_id,
        _id,
        name: 'badge.pdf',
        url: links.ofBadgeFile(event_id, guest_id),
        content_type: 'application/pdf',
        created_at,
      }))
    },
  }
}
