/*
 * What nobody sees at the ends of a text: readers that type and spreadsheets add it, and nobody means it. Whether a text has it is decided by its
 * first and its last character, since nearly no text does.
 */

/** Blanks, line ends, control characters, zero-width characters and marks of direction. */
const UNSEEN = '\\s\\0-\\x1f\\x7f-\\x9f\\xad\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff'
const LEADING = new RegExp(`^[${UNSEEN}]+`)
const IS_UNSEEN = new RegExp(`[${UNSEEN}]`)
/** The pattern of a text in which something is seen. */
export const SEEN = `[^${UNSEEN}]`

/** The text without what nobody sees at its ends. */
export function visible(text: string): string {
  if (isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1))) return text
  const begun = text.replace(LEADING, '')
  // A regular expression for the end would take quadratic time.
  let end = begun.length
  while (end > 0 && IS_UNSEEN.test(begun.charAt(end - 1))) end--
  return begun.slice(0, end)
}

/** Whether a character is surely seen: those of ASCII, and letters of nearly all scripts. */
function isPlain(code: number): boolean {
  return (code > 0x20 && code < 0x7f) || (code > 0xad && code < 0x1680)
}

/**
 * The uid for which a scanned text stands: the text itself if a guest has it, since uids of older versions may begin or end with what nobody sees;
 * otherwise what is visible of it.
 */
export function uidOf(scanned: string, isKnown: (uid: string) => boolean): string {
  const seen = visible(scanned)
  return seen === scanned || isKnown(scanned) ? scanned : seen
}

/** The uids that a scanned text may stand for. */
export function possibleUids(scanned: string): string[] {
  return [...new Set([scanned, visible(scanned)])]
}
