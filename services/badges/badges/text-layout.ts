import { type Cluster, wordsOf } from './clusters.ts'
import type { Weight } from './fonts.ts'
import { lineOf, type TextLine } from './lines.ts'

/** Text in lines of one size; measures are in points. */
export interface TextBlock {
  size: number
  /** From one baseline to the next. */
  leading: number
  lines: TextLine[]
  height: number
}

/** The space for text, in points. */
export interface TextFrame {
  width: number
  height: number
  weight: Weight
  /** The size of text that fits at this size. */
  largest: number
}

const LEADING = 1.25
/** For scripts that write letters below letters: these would touch the line below. */
const DEEP_LEADING = 1.5
const DEEP = /[\p{sc=Telu}\p{sc=Knda}\p{sc=Khmr}]/u
const SMALLEST = 5
const STEP = 0.5

/**
 * Lays text out at the largest size at which it fits the frame, and cuts off what fits at no size. Words are broken only below half of the
 * frame's largest size.
 *
 * Lines are broken by our own code: of the libraries tried, pdfkit has one font and direction for each text, linebreak does not break Thai,
 * @react-pdf/textkit inserts hyphens, canvaskit adds 115 MiB, and typst does not break long words.
 */
export function layOutText(text: string, { width, height, weight, largest }: TextFrame): TextBlock {
  const words = wordsOf(text, weight)
  const spacing = DEEP.test(text) ? DEEP_LEADING : LEADING
  for (let size = largest; ; size -= STEP) {
    const isSmallest = size <= SMALLEST
    const lines = breakLines(words, width / size, isSmallest || size <= largest / 2)
    const leading = size * spacing
    if (isSmallest || (lines && lines.length * leading <= height)) {
      const kept = (lines ?? []).slice(0, Math.max(1, Math.floor(height / leading)))
      return { size, leading, lines: kept.map(lineOf), height: kept.length * leading }
    }
  }
}

/** Words in lines of a width, without spaces at their ends. Undefined if a word is wider and must not be broken. */
function breakLines(words: Cluster[][], width: number, mayBreakWords: boolean): Cluster[][] | undefined {
  const lines: Cluster[][] = []
  // No line exists yet, so the first word needs a new one.
  let used = Number.POSITIVE_INFINITY
  const makeRoom = (needed: number): void => {
    if (used === 0 || used + needed <= width) return
    lines.push([])
    used = 0
  }
  for (const word of words) {
    const needed = total(withoutSpaces(word))
    if (needed > width && !mayBreakWords) return undefined
    makeRoom(needed)
    for (const cluster of word) {
      if (cluster.text !== ' ') makeRoom(cluster.width)
      lines.at(-1)?.push(cluster)
      used += cluster.width
    }
  }
  return lines.map(withoutSpaces)
}

function withoutSpaces(clusters: Cluster[]): Cluster[] {
  return clusters.slice(0, clusters.findLastIndex(({ text }) => text !== ' ') + 1)
}

function total(clusters: Cluster[]): number {
  return clusters.reduce((sum, { width }) => sum + width, 0)
}
