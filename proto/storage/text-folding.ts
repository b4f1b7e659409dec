/** ASCII spellings of letters that Unicode does not decompose. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
const PLAIN_LETTERS = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')

/** Most texts: nothing is left to fold but the case. */
const PLAIN = /^[\x20-\x7e]*$/

/** Lower case without accents: `Éloïse` and `ELOISE` give the same. A control character separates words. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (PLAIN.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Cc}/gu, ' ')
    .replace(PLAIN_LETTERS, (letter) => plainLetters[letter] ?? letter)
}
