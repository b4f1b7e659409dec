import { graphemesOf } from './clusters.ts'
import { isLegible, type Weight } from './fonts.ts'

/** Text as one trimmed line, without control characters and without overrides of direction, which turn Latin letters around. */
export function clean(text: string | null): string {
  return (text ?? '')
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\u202d\u202e]/g, '')
    .trim()
}

/** The text if any of its letters has a font, otherwise an empty one: a row of boxes says nothing. */
export function legible(text: string, weight: Weight): string {
  return isLegible(graphemesOf(text), weight) ? text : ''
}
