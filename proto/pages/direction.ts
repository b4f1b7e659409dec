const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const LETTER = /\p{L}/u

/** The direction in which a text begins to be read; undefined if it has no letters. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const [first] = LETTER.exec(text) ?? []
  if (first === undefined) return undefined
  return RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr'
}

/**
 * A value as it stands in a sentence from left to right. If it has letters from right to left, invisible signs keep these from taking along the
 * brackets, digits and stops around them.
 */
export function isolated(value: string): string {
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value
}

/** A text in which values that follow each other, such as first and last name, are isolated as one. */
export function isolatedTogether(text: string): string {
  return text.replaceAll(/\u2069([ \u00a0]+)\u2068/g, '$1')
}

/** Texts in one line with dots between them, without those that are not there. */
export function dotted(texts: readonly (string | number | null | undefined | false)[]): string {
  return texts
    .filter((each) => typeof each === 'number' || each)
    .map((each) => isolated(String(each)))
    .join(' · ')
}
