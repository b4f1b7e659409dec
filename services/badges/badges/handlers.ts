import { notFound, notYet } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { Guests } from '../guests.ts'
import type { PublicLinks } from '../links.ts'
import type { BadgeMaker } from './maker.ts'
import type { badges } from './resource.ts'
import type { BadgeStore, Owner } from './store.ts'

/** Seconds that a browser may show a badge again without asking. */
const MAX_AGE = 60

/** Seconds after which a badge that could not be made yet is worth another try. */
const RETRY_AFTER = 1

/** What a public link names. */
interface Link extends Owner {
  secret: string
}

/** What badges do and refuse. */
export function badgeHandlers(
  store: BadgeStore,
  maker: BadgeMaker,
  guests: Guests,
  links: PublicLinks,
): Handlers<typeof badges> {
  /** The badge that a public link leads to, made now where the guest waits for it. Throws `not_found` where there is none. */
  async function opened({ event_id, guest_id, secret }: Link): Promise<Uint8Array> {
    if (!links.holds(secret, 'badge', event_id, guest_id)) throw notFound()
    const guest = await guests.printed(event_id, guest_id)
    if (!guest?.badge_completed && !guest?.badge_due) throw notFound()
    // Somebody waits for it: it does not wait in the queue. Where it can not be made the one before is still worth something.
    const isMade = !guest.badge_due || (await isMadeNow({ event_id, guest_id }))
    const bytes = await store.bytes(event_id, guest_id)
    if (!bytes) throw isMade ? notFound() : notYet(RETRY_AFTER)
    return bytes
  }

  /** Makes a badge that was ordered. False where that did not work; the queue tries it again. */
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
