import { fold } from './text-folding.ts'

/**
 * Search for people by prefixes of words. Stored words and queries are folded alike, so that case, accents and punctuation do not matter.
 */

/** Stored and queried words are cut to this length, so that index entries stay small. */
export const MAX_WORD = 64

const SEPARATORS = /[^\p{L}\p{N}]+/u

/** A word of a query: letters and digits only (`O'Brien` is `obrien`), or unchanged if it has none. */
export function queryWords(text: string): string[] {
  return fold(text)
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => (word.split(SEPARATORS).join('') || word).slice(0, MAX_WORD))
}

/**
 * The stored words of a text, each from each of its parts on: `ada@example.org` gives `adaexampleorg`, `exampleorg` and `org`; the first of
 * them where they are more than `most`.
 */
export function wordsOf(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = []
  for (const word of fold(text).split(/\s+/)) {
    if (found.length >= most) break
    if (word === '') continue
    const parts = word.split(SEPARATORS).filter(Boolean)
    if (parts.length === 0) found.push(word.slice(0, MAX_WORD))
    for (let index = 0; index < parts.length && found.length < most; index++) {
      // A part has a character at least, so no more of them are needed.
      const tail = parts.slice(index, index + MAX_WORD).join('')
      found.push(tail.slice(0, MAX_WORD))
    }
  }
  return found
}

/** Whether each word of a query is a prefix of a word of the texts, of which an earlier version may have stored other things. */
export function isFound(asked: string[], ...texts: (string | null)[]): boolean {
  const words = texts.flatMap((text) => (typeof text === 'string' ? wordsOf(text) : []))
  return asked.every((prefix) => words.some((word) => word.startsWith(prefix)))
}

/** A filter for documents whose list of words has a word with each of these prefixes. */
export function prefixFilter(field: string, prefixes: string[]): Record<string, unknown> {
  const [word, ...words] = prefixes.map(startingWith)
  return {
    ...(word !== undefined && { [field]: { $regex: word } }),
    // Not `$and`: DocumentDB would fetch the matches of each pattern from the index.
    ...(words.length > 0 && { $nor: words.map(($regex) => ({ [field]: { $not: { $regex } } })) }),
  }
}

/**
 * An anchored pattern for a literal prefix. A range would do the same, but over a list it needs `$elemMatch`, which crashes DocumentDB with an
 * index of several fields.
 */
function startingWith(prefix: string): string {
  return `^${prefix.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')}`
}
