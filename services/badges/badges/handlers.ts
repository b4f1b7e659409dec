import { notFound, notYet } from '@gatehouse/proto/declaring/faults.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Owner } from '../owners.ts'
import { print } from './print.ts'
import type { badges } from './resource.ts'

/** Seconds for which a browser may cache a badge. */
const MAX_AGE = 60

/** `Retry-After` of a badge that is not made yet, in seconds. */
const RETRY_AFTER = 1

/** Returns the handlers of badges. */
export function badgeHandlers(dependencies: Dependencies): Handlers<typeof badges> {
  return handlersOf<typeof badges, Dependencies>(
    {
      async read(all, { params }) {
        await badgeOf(all, params)
        return { location: all.links.ofBadgeFile(params.event_id, params.guest_id) }
      },
      file: async (all, { params, format }) => ({
        bytes: await (format === 'svg' ? pictureOf(all, params) : badgeOf(all, params)),
        max_age: MAX_AGE,
      }),
      print,
      async of_guests({ badges, links }, { body: { event_id, guest_ids } }) {
        const found = await badges.ofGuests(event_id, guest_ids)
        return found.map(({ _id, guest_id, created_at }) => ({
          guest_id,
          _id,
          name: 'badge.pdf',
          url: links.ofBadgeFile(event_id, guest_id),
          content_type: 'application/pdf',
          created_at,
        }))
      },
    },
    dependencies,
  )
}

/** The badge behind a public link as a picture. Throws `not_found` if there is none. */
async function pictureOf(
  { guests, links, designs }: Dependencies,
  { event_id, guest_id, secret }: Owner & { secret: string },
): Promise<Uint8Array> {
  if (!links.holds(secret, 'badge', event_id, guest_id)) throw notFound()
  const guest = await guests.printed(event_id, guest_id)
  const [badge] = guest?.category.badge_enabled ? await designs.of(event_id, [guest]) : []
  if (!badge) throw notFound()
  const { svgOf } = await import('./svg.ts')
  return Buffer.from(svgOf(badge.page))
}

/** The badge behind a public link, made now if it was ordered. Throws `not_found` if there is none. */
async function badgeOf(
  { badges, guests, links, maker }: Dependencies,
  { event_id, guest_id, secret }: Owner & { secret: string },
): Promise<Uint8Array> {
  if (!links.holds(secret, 'badge', event_id, guest_id)) throw notFound()
  const guest = await guests.printed(event_id, guest_id)
  if (!guest?.badge_completed && !guest?.badge_due) throw notFound()
  // A person is waiting, so the badge does not wait in the queue, which retries it if that fails: the previous one is better than none.
  const made = guest.badge_due ? await maker.make([{ event_id, guest_id }]).catch(() => undefined) : undefined
  const isMade = !guest.badge_due || made?.failed.size === 0
  const bytes = await badges.bytes(event_id, guest_id)
  if (!bytes) throw isMade ? notFound() : notYet(RETRY_AFTER)
  return bytes
}
