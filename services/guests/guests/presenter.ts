import type { PublicLinks, Purpose } from '@gatehouse/badges/links'
import { writerOf } from '@gatehouse/proto/formats/json-writer.ts'
import type { FieldGetter } from '@gatehouse/proto/storage/raw-documents.ts'
import { type EnclosedGuest, enclosedGuest, type Guest } from './resource.ts'
import type { StoredGuest } from './store.ts'

/** What is stored besides does not count. */
const write = writerOf(enclosedGuest)

/** What is shown of a guest besides the rest. */
interface Flags {
  guest_metadata?: boolean
  qrcode_url?: boolean
}

/** Bytes of a guest inside something else, as JSON: one guest may stand in thousands of deliveries. */
const MAX_ENCLOSED_BYTES = 16 * 1024
/** What may be large of a guest, in the order in which it is left out. */
const LARGE_FIELDS = ['guest_metadata', 'access_privileges', 'message'] as const

/** Shows guests as the API does, with their links. */
export class GuestPresenter {
  readonly #links: PublicLinks

  constructor(links: PublicLinks) {
    this.#links = links
  }

  /** A guest with its links. */
  shown(stored: StoredGuest, flags: Flags = {}): Guest {
    const { guest_metadata, ...guest } = stored
    return {
      ...guest,
      promo_code: guest.promo_code ?? null,
      ...this.linksOf((name) => stored[name], flags),
      ...(flags.guest_metadata && { guest_metadata }),
    }
  }

  /** The links of a guest of which the fields can be looked at, stored or decoded. */
  linksOf(get: FieldGetter<StoredGuest>, { qrcode_url }: Flags): Pick<Guest, 'badge_url' | 'qrcode_url'> {
    const link = (purpose: Purpose): string => this.#links.of(purpose, get('event_id'), get('_id'))
    return {
      badge_url: get('badge_completed') ? link('badge') : null,
      ...(qrcode_url && { qrcode_url: link('qrcode') }),
    }
  }

  /** A guest as webhooks and live feeds hear of it. */
  forWebhooks(guest: StoredGuest): Guest {
    return this.shown(guest, { guest_metadata: true, qrcode_url: true })
  }

  /** A guest inside a check-in or lead: as webhooks hear of it, of a large one without `LARGE_FIELDS` as far as needed. */
  enclosed(stored: StoredGuest): EnclosedGuest {
    const guest: EnclosedGuest = this.forWebhooks(stored)
    for (const name of LARGE_FIELDS) {
      if (Buffer.byteLength(write(guest)) <= MAX_ENCLOSED_BYTES) break
      delete guest[name]
    }
    return guest
  }
}
