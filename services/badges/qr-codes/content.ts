import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Ciphering, Printed } from '../guests.ts'

/** The longest content, in bytes, which can be scanned from a badge: some 113 modules a side. */
const MAX_BYTES = 1_000
const CIPHERED = 'E:'
const MECARD = 'MECARD:'

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

function ciphered(text: string, { enabled, key, iv }: Ciphering): string {
  if (!enabled || !key || !iv) return text
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'))
  return CIPHERED + Buffer.concat([cipher.update(text), cipher.final()]).toString('base64')
}

/** What a scanned code says: itself, or if it is ciphered the MeCard in it. Undefined if the event's key does not open it. */
export function deciphered(content: string, { key, iv }: Ciphering): string | undefined {
  if (!content.startsWith(CIPHERED)) return content
  if (!key || !iv) return undefined
  try {
    const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'))
    const bytes = Buffer.from(content.slice(CIPHERED.length), 'base64')
    const text = Buffer.concat([decipher.update(bytes), decipher.final()]).toString()
    return text.startsWith(MECARD) ? text : undefined
  } catch {
    return undefined
  }
}
