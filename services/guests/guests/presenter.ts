import type { PublicLinks, Purpose } from '@gatehouse/badges/links'
import { writerOf } from '@gatehouse/proto/formats/json-writer.ts'
import type { FieldGetter } from '@gatehouse/proto/formats/raw-documents.ts'
import { type EnclosedGuest, enclosedGuest, type Guest } from './resource.ts'
import { NOT_ENTERED, type StoredGuest } from './stored-guest.ts'

const write = writerOf(enclosedGuest)

/** The parts of a guest that are shown on request. */
interface PresenterFlags {
  guest_metadata?: boolean
  qrcode_url?: boolean
}

/** The largest guest inside something else, in bytes of JSON: one guest may be in thousands of deliveries. */
const MAX_ENCLOSED_BYTES = 16 * 1024
/** The fields that may be large, in the order in which they are left out. */
const LARGE_FIELDS = ['guest_metadata', 'access_privileges', 'message'] as const

type AddedLater = Pick<StoredGuest, 'party_size'> &
  Pick<Guest, 'checked_in_at'> &
  Partial<Pick<StoredGuest, 'status' | 'registered_at'>>

/** What a guest lacks that is older than these fields, until it is migrated; and when it came in, which is null in place of {@link NOT_ENTERED}. */
export function addedLater(get: FieldGetter<StoredGuest>): AddedLater {
  const party_size = (get('party_size') as number | undefined) ?? 1
  const entered = get('checked_in_at') as Date | undefined
  const checked_in_at = entered && entered > NOT_ENTERED ? entered : null
  if ((get('status') as string | undefined) !== undefined) return { party_size, checked_in_at }
  const status = get('rsvp_status') === 'declined' ? 'declined' : 'registered'
  return { party_size, checked_in_at, status, registered_at: get('created_at') }
}

/** Presents guests as the API shows them, with their links. */
export class GuestPresenter {
  readonly #links: PublicLinks

  constructor(links: PublicLinks) {
    this.#links = links
  }

  /** A guest with its links. */
  shown(stored: StoredGuest, flags: PresenterFlags = {}): Guest {
    const { guest_metadata, ...guest } = stored
    return {
      ...guest,
      promo_code: guest.promo_code ?? null,
      ...addedLater((name) => stored[name]),
      ...this.linksOf((name) => stored[name], flags),
      ...(flags.guest_metadata && { guest_metadata }),
    }
  }

  /** The links of a guest, stored or decoded. */
  linksOf(get: FieldGetter<StoredGuest>, { qrcode_url }: PresenterFlags): Pick<Guest, 'badge_url' | 'qrcode_url'> {
    const link = (purpose: Purpose): string => this.#links.of(purpose, get('event_id'), get('_id'))
    return {
      badge_url: get('badge_completed') ? link('badge') : null,
      ...(qrcode_url && { qrcode_url: link('qrcode') }),
    }
  }

  /** A guest as webhooks and live feeds get it. */
  forWebhooks(guest: StoredGuest): Guest {
    return this.shown(guest, { guest_metadata: true, qrcode_url: true })
  }

  /** A guest inside a check-in or lead: as webhooks get it, but without as many `LARGE_FIELDS` as make it too large. */
  enclosed(stored: StoredGuest): EnclosedGuest {
    const guest: EnclosedGuest = this.forWebhooks(stored)
    for (const name of LARGE_FIELDS) {
      if (Buffer.byteLength(write(guest)) <= MAX_ENCLOSED_BYTES) break
      delete guest[name]
    }
    return guest
  }
}
