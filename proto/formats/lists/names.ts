/** The first and last name of a person. */
export interface PersonName {
  first_name?: string
  last_name?: string
}

/** Splits a full name: `Lund, Ada` and `Ada Lund`; `Ludwig van Beethoven` keeps its small words with the last name. A single word is a last name. */
export function splitName(name: string): PersonName {
  const reversed = commaName(name)
  if (reversed) return reversed
  const words = wordsOf(name)
  let at = words.length - 1
  while (at > 1 && isSmall(words[at - 1] as string)) at--
  return nameOf(words.slice(0, Math.max(0, at)), words.slice(Math.max(0, at)))
}

/** The same for a name that begins with the last name: `Lund Ada`, `山田 太郎`. */
export function splitReversedName(name: string): PersonName {
  const reversed = commaName(name)
  if (reversed) return reversed
  const words = wordsOf(name)
  let at = 1
  while (at < words.length - 1 && isSmall(words[at - 1] as string)) at++
  return nameOf(words.slice(at), words.slice(0, at))
}

function commaName(name: string): PersonName | undefined {
  const comma = name.search(/[,，、]/)
  if (comma < 0) return undefined
  return nameOf(wordsOf(name.slice(comma + 1)), wordsOf(name.slice(0, comma)))
}

function nameOf(first: string[], last: string[]): PersonName {
  return {
    ...(first.length > 0 && { first_name: first.join(' ') }),
    ...(last.length > 0 && { last_name: last.join(' ') }),
  }
}

function wordsOf(text: string): string[] {
  return text.split(/[\s\u200b\u2060\ufeff]+/).filter((word) => word !== '')
}

function isSmall(word: string): boolean {
  return /^\p{Lowercase}/u.test(word)
}
