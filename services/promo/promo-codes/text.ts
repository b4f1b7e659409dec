/** A code's text as it is stored and shown: upper-cased by Unicode's rules of no language, without blanks around it. */
export function shownText(text: string): string {
  return text.normalize('NFC').trim().toUpperCase().normalize('NFC')
}

/**
 * What texts of the same code have in common, whatever the case: it is stored under a unique index. Lower case and then upper case
 * makes one of ß, ẞ and SS, and of the sigmas; the dot above goes, so that i, ı, I and İ are one letter to whoever types them; NFKC
 * makes one of full-width or ligature letters and plain ones.
 */
export function textKey(text: string): string {
  const lower = text.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
  return lower.replaceAll('i\u0307', 'i').toUpperCase().normalize('NFKC')
}
