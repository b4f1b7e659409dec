import { createSign } from 'node:crypto'
import type { PassContent } from './content.ts'
import type { GooglePasses } from './settings.ts'

const SAVE = 'https://pay.google.com/gp/v/save/'

/** Google asks for at most 1,800 characters, since browsers may cut longer addresses. */
const MAX_TOKEN = 1_800

/** Characters of a text, of which a phone shows less. */
const MAX_TEXT = 80

/** Where a guest saves the pass in Google Wallet. The pass is in the address itself, signed, so that Google is not asked for anything. */
export function googlePassUrl(signing: GooglePasses, content: PassContent, now = new Date()): string {
  const token = tokenOf(signing, content, now)
  // The place and the logo are what a guest misses least.
  const short = { ...content, logo_url: null, location: null }
  return SAVE + (token.length <= MAX_TOKEN ? token : tokenOf(signing, short, now))
}

/** The class (the event) and the object (the guest's ticket) as Google Wallet has them. */
export function googleObjects({ issuer }: Pick<GooglePasses, 'issuer'>, content: PassContent) {
  const { event_id, guest_id, title, organizer, location, starts, ends, name, category, party_size } = content
  const { qr_code, colours, logo_url } = content
  const classId = `${issuer}.${event_id}`
  return {
    eventTicketClass: {
      id: classId,
      issuerName: cut(organizer),
      eventName: localized(title),
      reviewStatus: 'UNDER_REVIEW',
      hexBackgroundColor: colours.background,
      ...(logo_url?.startsWith('https:') && { logo: { sourceUri: { uri: logo_url } } }),
      ...(location !== null && { venue: { name: localized(location), address: localized(location) } }),
      ...(starts !== null && { dateTime: { start: starts, ...(ends !== null && { end: ends }) } }),
    },
    eventTicketObject: {
      id: `${issuer}.${guest_id}`,
      classId,
      state: 'ACTIVE',
      ...(name !== '' && { ticketHolderName: cut(name) }),
      ticketType: localized(party_size > 1 ? `${category} × ${party_size}` : category),
      barcode: { type: 'QR_CODE', value: qr_code },
    },
  }
}

function tokenOf(signing: GooglePasses, content: PassContent, now: Date): string {
  const { eventTicketClass, eventTicketObject } = googleObjects(signing, content)
  const claims = {
    iss: signing.email,
    aud: 'google',
    typ: 'savetowallet',
    iat: Math.floor(now.getTime() / 1_000),
    payload: { eventTicketClasses: [eventTicketClass], eventTicketObjects: [eventTicketObject] },
  }
  return signedToken(signing.key, claims)
}

/** A JSON Web Token, signed with RS256. */
export function signedToken(key: string, claims: object): string {
  const encoded = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signed = encoded.join('.')
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`
}

function localized(value: string) {
  return { defaultValue: { language: 'en', value: cut(value) } }
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length > MAX_TEXT ? `${characters.slice(0, MAX_TEXT - 1).join('')}…` : text
}
