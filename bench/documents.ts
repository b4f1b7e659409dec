import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { ObjectId } from 'mongodb'
import type { CheckIn } from '../services/checkin/check-ins/store.ts'
import { complete, type StoredGuest } from '../services/guests/guests/stored-guest.ts'
import { testGuest } from '../services/guests/test-guest.ts'
import { invitationId, type StoredInvitation } from '../services/partners/delivery/invitations/store.ts'
import { recipientOf } from './bodies.ts'

/** Guests who are scanned, few enough that checkin keeps all of them cached during a run. */
export const KNOWN = 20_000

/*
 * Guests and check-ins as the services store them, to fill an event through the database driver: filling it by requests would take most of
 * the bench's time.
 */

const FIRST_NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Niklaus', 'Frances', 'Tony']

/** The uid of the n-th guest, from 0. */
export function uidOf(n: number): string {
  return `G${String(n).padStart(8, '0')}`
}

/** The n-th guest of an event, created n milliseconds after `begin`. */
export function guestOf(n: number, event_id: string, guest_category_id: string, begin: number): StoredGuest {
  const created_at = new Date(begin + n)
  const guest = testGuest({
    _id: new ObjectId().toHexString(),
    event_id,
    guest_category_id,
    email: `guest${n}@example.org`,
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

/** An event that has lasted half a day: every guest has been scanned once at each of its points, in no order. */
export const CHECK_INS_PER_GUEST = 3
const HALF_A_DAY_MS = 12 * 3_600_000
/** A prime that does not divide the number of guests: its multiples reach every guest before any comes twice. */
export const STRIDE = 7_919

/** The n-th check-in. Each guest is scanned once at each of `points`; the last point has no limit. */
export function checkInOf(n: number, event_id: string, points: string[], guests: number, end: number): CheckIn {
  const point = Math.floor(n / guests)
  const _id = new ObjectId().toHexString()
  const stamp = new Date(end - HALF_A_DAY_MS + (n / (guests * points.length)) * HALF_A_DAY_MS)
  return {
    _id,
    event_id,
    accesspoint_id: points[point] as string,
    guest_uid: uidOf((n * STRIDE) % guests),
    access_stamp: stamp,
    access_status: ACCESS_GRANTED,
    created_at: stamp,
    updated_at: stamp,
    slot: point === points.length - 1 ? _id : 1,
  }
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
