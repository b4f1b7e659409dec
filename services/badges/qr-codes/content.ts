import { ciphered, MECARD } from '@gatehouse/proto/formats/ciphered-codes.ts'
import type { Ciphering, Printed } from '../guests.ts'

/** The longest content, in bytes, which can be scanned from a badge: some 113 modules a side. */
const MAX_BYTES = 1_000

/**
 * The content of a guest's QR code: a MeCard with the uid, and with name and contact details if the category has
 * `badge_ecard_in_qr_code_enabled`; ciphered if the event ciphers. The last fields are left out if the code would be too dense to be
 * scanned, but never the uid.
 */
export function contentOf(guest: Printed, ciphering: Ciphering): string {
  const fields = guest.category.badge_ecard_in_qr_code_enabled ? cardOf(guest) : []
  for (;;) {
    const content = ciphered(mecard([['UID', escaped(guest.uid)], ...fields]), ciphering)
    if (fields.length === 0 || Buffer.byteLength(content) <= MAX_BYTES) return content
    fields.pop()
  }
}

function cardOf({ first_name, last_name, email, company_name, position, phone_number }: Printed): [string, string][] {
  // In MeCard a comma separates last and first name.
  const name = [last_name, first_name].flatMap((part) => (part?.trim() ? [escaped(part.trim())] : [])).join(',')
  const fields: [string, string | null][] = [
    ['N', name],
    ['EMAIL', email && escaped(email)],
    ['ORG', company_name && escaped(company_name)],
    ['TITLE', position && escaped(position)],
    ['TEL', phone_number && escaped(phone_number)],
  ]
  return fields.flatMap(([key, value]) => (value?.trim() ? [[key, value]] : []))
}

function mecard(fields: [string, string][]): string {
  return `${MECARD}${fields.map(([key, value]) => `${key}:${value};`).join('')};`
}

function escaped(text: string): string {
  return text.replace(/[\\;:,]/g, '\\$&')
}
