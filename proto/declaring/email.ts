import type { FieldErrors } from './faults.ts'
import { messageOf } from './messages.ts'

// HTML's valid e-mail address, but with letters of any script in the domain: browsers convert it to ASCII before they validate.
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?'
const ADDRESS = `[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*`
/** An e-mail address, by the rule of HTML's `<input type="email">`. */
export const EMAIL = new RegExp(`^${ADDRESS}$`, 'u')
/** The same, or nothing. */
export const OPTIONAL_EMAIL = `^(?:${ADDRESS})?$`

/** The errors of a new e-mail address. The stored one is always valid: it may be older than the rule. */
export function emailErrors(given: string | null | undefined, stored: string | null): FieldErrors {
  return !given || given === stored || EMAIL.test(given) ? {} : { email: [messageOf('invalid_email')] }
}
