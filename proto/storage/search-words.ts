import { fold } from './text-folding.ts'

/**
 * Searching people by the beginnings of words: what is stored for them, and what a query means. Both sides are folded alike, so that
 * case, accents and punctuation do not matter.
 */

/** Words are cut here, on both sides, so that an index entry stays small. */
export const MAX_WORD = 64

const SEPARATORS = /[^\p{L}\p{N}]+/u

/** A word as it is asked for: letters and digits only (`O'Brien` is `obrien`), or as it is when it has none. */
export function queryWords(text: string): string[] {
  return fold(text)
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => (word.split(SEPARATORS).join('') || word).slice(0, MAX_WORD))
}

/** The words of a text as stored, each from each of its parts on: `ada@example.org` is `adaexampleorg`, `exampleorg` and `org`. */
export function wordsOf(text: string): string[] {
  return fold(text)
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word) => {
      const parts = word.split(SEPARATORS).filter(Boolean)
      const tails = parts.map((_, index) => parts.slice(index).join(''))
      return tails.length > 0 ? tails : [word]
    })
    .map((word) => word.slice(0, MAX_WORD))
}

/** Whether each of the words that are asked for begins one of the words of some texts. */
export function isFound(asked: string[], ...texts: (string | null)[]): boolean {
  const words = texts.flatMap((text) => wordsOf(text ?? ''))
  return asked.every((prefix) => words.some((word) => word.startsWith(prefix)))
}

/** The part of a filter that lets through whoever has, in a list of words, one with each of these beginnings. */
export function prefixFilter(field: string, prefixes: string[]): Record<string, unknown> {
  const [word, ...words] = prefixes.map(startingWith)
  return {
    ...(word !== undefined && { [field]: { $regex: word } }),
    // Not `$and`: of several patterns DocumentDB's engine would fetch from the index what each of them matches.
    ...(words.length > 0 && { $nor: words.map(($regex) => ({ [field]: { $not: { $regex } } })) }),
  }
}

/**
 * An anchored pattern of which nothing but its text means anything. A range would do the same, but over a list it takes
 * `$elemMatch`, and DocumentDB's engine goes down at that with an index of several fields.
 */
function startingWith(prefix: string): string {
  return `^${prefix.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')}`
}
