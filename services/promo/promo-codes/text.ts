/** A code's text as it is stored and shown: without blanks around it, in upper case by Unicode's language-independent rules. */
export function shownText(text: string): string {
  return text.normalize('NFC').trim().toUpperCase().normalize('NFC')
}

/**
 * The key of a text in the unique index: the same for all spellings of a code. Lower case and then upper case makes ß, ẞ and SS equal, and
 * the sigmas; dropping the dot above makes i, ı, I and İ equal; NFKC makes full-width letters and ligatures equal to plain letters.
 */
export function textKey(text: string): string {
  const lower = text.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
  return lower.replaceAll('i\u0307', 'i').toUpperCase().normalize('NFKC')
}
