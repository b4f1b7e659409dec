import { ObjectId } from 'mongodb'
import { complete, type StoredGuest } from '../services/guests/guests/stored-guest.ts'
import { testGuest } from '../services/guests/test-guest.ts'
import { invitationId, type StoredInvitation } from '../services/partners/delivery/invitations/store.ts'

/* Documents as the services store them, for the database driver: filling an event by requests would take most of the bench's time. */

const FIRST_NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Niklaus', 'Frances', 'Tony']

/** What the addresses of guests begin with. */
export const GUESTS = 'guest'

export function newId(): string {
  return new ObjectId().toHexString()
}

/** Guests who are scanned, few enough that checkin keeps all of them cached during a run. */
export const SCANNED_GUESTS = 20_000

/** The uid of the n-th guest, from 0. */
export function uidOf(n: number): string {
  return `G${String(n).padStart(8, '0')}`
}

/** The n-th guest of an event. */
export function guestOf(n: number, event_id: string, guest_category_id: string, createdAt = Date.now()): StoredGuest {
  const created_at = new Date(createdAt)
  const guest = testGuest({
    _id: newId(),
    event_id,
    guest_category_id,
    email: `${GUESTS}-${n}@example.org`,
    first_name: FIRST_NAMES[n % FIRST_NAMES.length] as string,
    last_name: `Visitor${n}`,
    company_name: `Company ${n % 5_000}`,
    position: 'Engineer',
    uid: uidOf(n),
    rsvp_status: 'accepted',
    created_at,
    updated_at: created_at,
  })
  return complete(guest)
}

/** A recipient of the bench. */
export function recipientOf(name: string): { email: string; first_name: string; last_name: string } {
  return { email: `${name}@example.org`, first_name: 'Ada', last_name: `Visitor ${name}` }
}

/** The n-th invitation of a campaign, which waits to be sent. */
export function invitationOf(
  n: number,
  owner: Pick<StoredInvitation, 'event_id' | 'partner_id' | 'partner_campaign_id' | 'reservation'>,
): StoredInvitation {
  const { email, ...names } = recipientOf(`d${n}`)
  const now = new Date()
  return {
    _id: invitationId(owner.partner_campaign_id, email),
    ...owner,
    address: email,
    email,
    ...names,
    locale: null,
    guest_metadata: [],
    state: 'queued',
    reason: null,
    sent_at: null,
    answer: null,
    created_at: now,
    updated_at: now,
    postponed: 0,
    step: 'waiting',
    due_at: now,
  }
}
