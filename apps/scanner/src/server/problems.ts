import type { GatehouseError } from '../../../../clients/typescript/client.ts'
import type { ScannerKey, ScannerSay } from '../texts/say.ts'

/** What the device says of a refusal, by the server's code for it, or by the field that is wrong. */
const TEXTS: Partial<Record<string, ScannerKey>> = {
  other_points: 'problem_point',
  accesspoint_id: 'problem_point',
  walk_ins_disallowed: 'problem_walk_in',
  guest_category_id: 'problem_walk_in',
  undone_elsewhere: 'problem_other_device',
  undone_too_late: 'problem_too_late',
  content: 'unread_text',
  guest_uid: 'unknown_text',
  // The device's own.
  guest_gone: 'problem_guest_gone',
}

/** Why the server does not take what a steward did: what it is stored as, and the code of it for {@link problemWords}. */
export type Problem = string

/** Returns why the server refuses a request: a code or a field that the device has words for, else the server's own words. */
export function problemOf({ reason, errors, message }: GatehouseError): Problem {
  return reason && TEXTS[reason.code] ? reason.code : problemOfFields(errors, message)
}

/** Returns the same of an item of a batch. */
export function problemOfFields(errors: Record<string, string[]>, words = wordsOf(errors)): Problem {
  return Object.keys(errors).find((field) => TEXTS[field]) ?? words
}

/** Says a problem in the language of the device; one that it does not know, or that an earlier version has stored, in the server's words. */
export function problemWords(say: ScannerSay, problem: Problem): string {
  const text = TEXTS[problem]
  return text ? say(text) : problem
}

/** The errors of fields as one sentence. */
function wordsOf(errors: Record<string, string[]>): string {
  return Object.entries(errors)
    .map(([field, words]) => `${field} ${words.join(', ')}`)
    .join('; ')
}
