import bidiFactory from 'bidi-js'
import { type Drawn, type Face, faceFor, isLegible, type Weight } from './fonts.ts'

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
/** For scripts that write letters below letters, which would meet the line below. */
const DEEP_LEADING = 1.5
const DEEP = /[\p{sc=Telu}\p{sc=Knda}\p{sc=Khmr}]/u
const SMALLEST = 5
const STEP = 0.5

interface Cluster extends Drawn {
  level: number
  width: number
  /** Whether a line may begin with it. */
  breakable: boolean
}

/**
 * Sets text as large as it fits, but not larger than the frame says: in whole words where their letters fit a line, and in any script that
 * the fonts have. What fits at no size is cut off.
 */
export function layOutText(text: string, frame: Frame): Block {
  const clusters = clustersOf(text, frame.weight)
  const spacing = DEEP.test(text) ? DEEP_LEADING : LEADING
  for (let size = frame.largest; ; size -= STEP) {
    const last = size <= SMALLEST
    const lines = breakLines(clusters, frame.width / size, last || size <= frame.largest / 2)
    const leading = size * spacing
    if (last || (lines && lines.length * leading <= frame.height)) {
      const kept = (lines ?? []).slice(0, Math.max(1, Math.floor(frame.height / leading)))
      return { size, leading, lines: kept.map(lineOf), height: kept.length * leading }
    }
  }
}

/** One line of text that is not blank, without what no font shows and without what turns Latin letters around. */
export function clean(text: string | null): string {
  return (text ?? '')
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\u202d\u202e]/g, '')
    .trim()
}

/** Text, if there is a font for any of its letters, or else none: a row of boxes tells nobody anything. */
export function legible(text: string, weight: Weight): string {
  const clusters = Array.from(graphemes.segment(text), ({ segment }) => segment)
  return isLegible(clusters, weight) ? text : ''
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
  return shapesOf(text).map(({ segment, index }) => {
    const drawn = faceFor(segment, weight, face)
    face = drawn.face
    const width = clusterWidth(face, drawn.text)
    return { ...drawn, level: levels[index] as number, width, breakable: starts.has(index) }
  })
}

/** Grapheme clusters, and as one those that may be drawn as one shape: the Unicode rules join them in some scripts only. */
function shapesOf(text: string): { segment: string; index: number }[] {
  const found: { segment: string; index: number }[] = []
  for (const { segment, index } of graphemes.segment(text)) {
    const last = found.at(-1)
    if (last && JOINED.test(last.segment.slice(-2) + segment[0])) last.segment += segment
    else found.push({ segment, index })
  }
  return found.flatMap(({ segment, index }) => segmentsOf(segment, index))
}

/** Nobody writes longer ones, and one that is wider than a line could not be set. */
function segmentsOf(segment: string, index: number): { segment: string; index: number }[] {
  if (segment.length <= MAX_SHAPE) return [{ segment, index }]
  const head = segment.slice(0, MAX_SHAPE).replace(/[\ud800-\udbff]$/, '')
  return [{ segment: head, index }, ...segmentsOf(segment.slice(head.length), index + head.length)]
}

/** A letter after the sign that takes the vowel from the one before it, in Gurmukhi, Tamil, Kannada and Sinhala. */
const JOINED =
  /(?:\u0a4d[\u0a05-\u0a39]|\u0bcd[\u0b85-\u0bb9]|\u0ccd\u200d?[\u0c85-\u0cb9]|\u0dca\u200d?[\u0d85-\u0dc6])$/
const MAX_SHAPE = 32

const OPENING = /^[\p{Ps}\p{Pi}]+$/u
const PICTURE = /\p{Extended_Pictographic}/u

function widthOf({ font, shaped }: Face, text: string): number {
  return shaped(text).advanceWidth / font.unitsPerEm
}

/** Widths of clusters, which come again in every name: shaping one costs as much as shaping a line. */
const widths = new Map<string, number>()
const MAX_WIDTHS = 20_000

function clusterWidth(face: Face, text: string): number {
  const key = `${face.name} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  if (widths.size >= MAX_WIDTHS) widths.clear()
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

const TAKEN_APART =
  /[\p{scx=Thai}\p{scx=Khmr}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}]/u
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Letters of such a script are turned around when they are shaped, and brackets between them mirrored; brackets and signs alone are not. */
function rightToLeft(clusters: Cluster[]): string {
  const text = clusters.map((cluster) => cluster.text).join('')
  if (RIGHT_TO_LEFT.test(text)) return text
  return clusters
    .map((cluster) => bidi.getMirroredCharacter(cluster.text) ?? cluster.text)
    .reverse()
    .join('')
}
