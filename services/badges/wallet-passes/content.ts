import { createHash } from 'node:crypto'
import { zoneOf } from '@gatehouse/proto/declaring/time-zones.ts'
import { type Colours, coloursOf } from '@gatehouse/proto/pages/colour.ts'
import type { Ciphering, Printed } from '../guests.ts'
import { contentOf } from '../qr-codes/content.ts'
import type { PassEvent } from './events.ts'

/** What a pass says, whichever wallet it is for. */
export interface PassContent {
  event_id: string
  guest_id: string
  title: string
  organizer: string
  location: string | null
  /** With the offset of the event's time zone, since wallets show the time as it is written. */
  starts: string | null
  ends: string | null
  name: string
  category: string
  party_size: number
  /** Exactly what scanners read. */
  qr_code: string
  colours: Colours
  logo_url: string | null
}

/** Returns what the pass of a guest says. */
export function passContentOf(event: PassEvent, guest: Printed, ciphering: Ciphering): PassContent {
  const { title, organizer, location, start_date, end_date, timezone, colour, logo_url } = event
  const zone = zoneOf(timezone) ?? 'UTC'
  return {
    event_id: event.event_id,
    guest_id: guest._id,
    title,
    organizer: organizer ?? title,
    location: location?.trim() ? location : null,
    starts: start_date && inZone(start_date, zone),
    ends: end_date && start_date && end_date > start_date ? inZone(end_date, zone) : null,
    name: [guest.first_name, guest.last_name].flatMap((part) => part?.trim() || []).join(' '),
    category: guest.category.name,
    party_size: guest.party_size ?? 1,
    qr_code: contentOf(guest, ciphering),
    colours: coloursOf(colour),
    logo_url,
  }
}

/** The same for passes that say the same. */
export function versionOf(content: PassContent): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}

/** A time as ISO 8601 with the offset of a time zone. */
function inZone(date: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  }).formatToParts(date)
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  const offset = of('timeZoneName').replace('GMT', '') || '+00:00'
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}${offset}`
}
