import bidiFactory from 'bidi-js'
import { type Face, faceFor, type Weight } from './fonts.ts'

// Its types know the CommonJS form only.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Letters of one font and one direction. */
export interface Run {
  face: Face
  /** As it is drawn. */
  text: string
  /** As it is meant, for whoever searches or copies it, where the font takes letters apart or moves them. */
  meant?: string
  /** Where the size is 1. */
  width: number
}

/** A line of runs, from the left to the right. */
export interface Line {
  runs: Run[]
  /** Where the size is 1. */
  width: number
}

/** Text set in lines of one size. */
export interface Block {
  size: number
  /** From one baseline to the next. */
  leading: number
  lines: Line[]
  height: number
}

/** What text has to fit in, in points. */
export interface Frame {
  width: number
  height: number
  weight: Weight
  /** The size that it is set in if it fits. */
  largest: number
}

const LEADING = 1.25
const SMALLEST = 5
const STEP = 0.5

interface Cluster {
  text: string
  /** Where the text has it. */
  at: number
  level: number
  face: Face
  width: number
  /** Whether a line may begin with it. */
  breakable: boolean
}

/**
 * Sets text as large as it fits, but not larger than the frame says: in whole words where their letters fit a line, and in any script that
 * the fonts have. What fits at no size is cut off.
 */
export function setText(text: string, frame: Frame): Block {
  const clusters = clustersOf(text, frame.weight)
  for (let size = frame.largest; ; size -= STEP) {
    const last = size <= SMALLEST
    const lines = breakLines(clusters, frame.width / size, last || size <= frame.largest / 2)
    const leading = size * LEADING
    if (last || (lines && lines.length * leading <= frame.height)) {
      const kept = (lines ?? []).slice(0, Math.max(1, Math.floor(frame.height / leading)))
      return { size, leading, lines: kept.map(lineOf), height: kept.length * leading }
    }
  }
}

/** One line of text that is not blank, without what no font shows. */
export function clean(text: string | null): string {
  return (text ?? '')
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function clustersOf(text: string, weight: Weight): Cluster[] {
  const { levels } = bidi.getEmbeddingLevels(text, 'auto')
  const starts = new Set<number>()
  let opens = false
  for (const { index, isWordLike, segment } of words.segment(text)) {
    // A sign stays with the word before it, one that opens something with the word after it.
    const isOpening = OPENING.test(segment)
    if (!opens && (isWordLike || isOpening || PICTURE.test(segment))) starts.add(index)
    opens = isOpening
  }
  let face: Face | undefined
  return [...graphemes.segment(text)].map(({ segment, index }) => {
    face = faceFor(segment, weight, face)
    const width = clusterWidth(face, segment)
    return { text: segment, at: index, level: levels[index] as number, face, width, breakable: starts.has(index) }
  })
}

const OPENING = /^[\p{Ps}\p{Pi}]+$/u
const PICTURE = /\p{Extended_Pictographic}/u

function widthOf({ font }: Face, text: string): number {
  return font.layout(text, []).advanceWidth / font.unitsPerEm
}

/** Widths of clusters, which come again in every name: shaping one costs as much as shaping a line. */
const widths = new Map<string, number>()
const MOST_WIDTHS = 20_000

function clusterWidth(face: Face, text: string): number {
  const key = `${face.name} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  if (widths.size >= MOST_WIDTHS) widths.clear()
  const width = widthOf(face, text)
  widths.set(key, width)
  return width
}

/** Clusters in lines of a width; undefined where a word is wider and may not be broken. */
function breakLines(clusters: Cluster[], width: number, mayBreakWords: boolean): Cluster[][] | undefined {
  const lines: Cluster[][] = []
  let line: Cluster[] = []
  let used = 0
  for (const word of wordsOf(clusters)) {
    const wide = total(trimmed(word))
    if (used + wide > width && line.length > 0) {
      lines.push(line)
      line = []
      used = 0
    }
    if (wide > width && !mayBreakWords) return undefined
    for (const cluster of word) {
      if (used + cluster.width > width && line.length > 0 && cluster.text !== ' ') {
        lines.push(line)
        line = []
        used = 0
      }
      line.push(cluster)
      used += cluster.width
    }
  }
  if (line.length > 0) lines.push(line)
  return lines.map(trimmed)
}

function wordsOf(clusters: Cluster[]): Cluster[][] {
  const found: Cluster[][] = []
  for (const cluster of clusters) {
    if (cluster.breakable || found.length === 0) found.push([])
    found.at(-1)?.push(cluster)
  }
  return found
}

function trimmed(clusters: Cluster[]): Cluster[] {
  let end = clusters.length
  while (end > 0 && clusters[end - 1]?.text === ' ') end--
  return clusters.slice(0, end)
}

function total(clusters: Cluster[]): number {
  return clusters.reduce((sum, { width }) => sum + width, 0)
}

/** Runs in the order that they are seen in (rule L2 of the Unicode bidirectional algorithm). */
function lineOf(clusters: Cluster[]): Line {
  const runs: { level: number; face: Face; clusters: Cluster[] }[] = []
  for (const cluster of clusters) {
    const last = runs.at(-1)
    if (last && last.level === cluster.level && last.face === cluster.face) last.clusters.push(cluster)
    else runs.push({ level: cluster.level, face: cluster.face, clusters: [cluster] })
  }
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let from = 0; from < runs.length; from++) {
      let to = from
      while (to < runs.length && (runs[to]?.level ?? 0) >= level) to++
      if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse())
      from = to
    }
  }
  const shown = runs.map(({ face, level, clusters: held }) => {
    const isTurned = level % 2 === 1
    const text = isTurned ? rightToLeft(held) : held.map((each) => each.text).join('')
    return { face, text, ...(!isTurned && TAKEN_APART.test(text) && { meant: text }), width: widthOf(face, text) }
  })
  return { runs: shown, width: shown.reduce((sum, { width }) => sum + width, 0) }
}

const TAKEN_APART = /[\p{Script=Thai}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Tamil}]/u
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Letters of such a script are turned around when they are shaped; brackets and signs alone are not. */
function rightToLeft(clusters: Cluster[]): string {
  const texts = clusters.map(({ text }) => bidi.getMirroredCharacter(text) ?? text)
  return RIGHT_TO_LEFT.test(texts.join('')) ? texts.join('') : texts.reverse().join('')
}
