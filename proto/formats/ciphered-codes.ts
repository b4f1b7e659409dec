import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Whether an event ciphers its codes, with its key in base 64; null if it never had one. */
interface Ciphering {
  enabled: boolean
  key: string | null
  iv: string | null
}

const CIPHERED = 'E:'
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true })
/** How the text of a guest's code begins. */
export const MECARD = 'MECARD:'

/** The text of a code as an event prints it: ciphered, if the event does so. */
export function ciphered(text: string, { enabled, key, iv }: Ciphering): string {
  if (!enabled || !key || !iv) return text
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'))
  return CIPHERED + Buffer.concat([cipher.update(text), cipher.final()]).toString('base64')
}

/** Whether only the event's key opens a code. */
export function isCiphered(content: string): boolean {
  return content.startsWith(CIPHERED)
}

/** What a scanned code says: itself, or if it is ciphered the MeCard in it. Undefined if the event's key does not open it. */
export function deciphered(content: string, { key, iv }: Ciphering): string | undefined {
  if (!isCiphered(content)) return content
  if (!key || !iv) return undefined
  try {
    const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'))
    const bytes = Buffer.from(content.slice(CIPHERED.length), 'base64')
    const text = STRICT_UTF8.decode(Buffer.concat([decipher.update(bytes), decipher.final()]))
    // The padding of one wrong code in 256 is valid.
    return text.startsWith(MECARD) ? text : undefined
  } catch {
    return undefined
  }
}
