import { bidi } from './bidi.ts'
import { type Drawn, type Face, faceFor, type Weight } from './fonts.ts'

/** The smallest piece of text that is laid out: letters that may be drawn as one shape. */
export interface Cluster extends Drawn {
  /** Bidirectional embedding level; text at an odd one runs from right to left. */
  level: number
  /** At size 1. */
  width: number
}

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The grapheme clusters of a text. */
export function graphemesOf(text: string): string[] {
  return Array.from(graphemeSegmenter.segment(text), ({ segment }) => segment)
}

/** The clusters of a text, grouped in the parts between which a line may end. A group ends with the spaces and signs after its word. */
export function wordsOf(text: string, weight: Weight): Cluster[][] {
  const { levels } = bidi.getEmbeddingLevels(text, 'auto')
  const starts = wordStarts(text)
  const words: Cluster[][] = []
  let inUse: Face | undefined
  for (const { segment, index } of shapesOf(text)) {
    const drawn = faceFor(segment, weight, inUse)
    inUse = drawn.face
    const cluster = { ...drawn, level: levels[index] as number, width: clusterWidth(drawn) }
    if (starts.has(index) || words.length === 0) words.push([])
    words.at(-1)?.push(cluster)
  }
  return words
}

/** The width of text in one font at size 1. */
export function widthOf({ face, text }: Drawn): number {
  return face.shaped(text).advanceWidth / face.font.unitsPerEm
}

const OPENING = /^[\p{Ps}\p{Pi}]+$/u
const PICTURE = /\p{Extended_Pictographic}/u

/** Where words begin. A sign belongs to the word before it, one that opens something to the word after it. */
function wordStarts(text: string): Set<number> {
  const starts = new Set<number>()
  let isOpened = false
  for (const { index, isWordLike, segment } of wordSegmenter.segment(text)) {
    const opens = OPENING.test(segment)
    if (!isOpened && (isWordLike || opens || PICTURE.test(segment))) starts.add(index)
    isOpened = opens
  }
  return starts
}

interface Shape {
  segment: string
  index: number
}

/** A letter after the sign that removes the vowel of the one before it, in Gurmukhi, Tamil, Kannada and Sinhala. */
const JOINED =
  /(?:\u0a4d[\u0a05-\u0a39]|\u0bcd[\u0b85-\u0bb9]|\u0ccd\u200d?[\u0c85-\u0cb9]|\u0dca\u200d?[\u0d85-\u0dc6])$/
/** Real clusters are shorter, and one that is wider than a line does not fit at any size. */
const MAX_SHAPE = /.{1,32}/gsu

/** Grapheme clusters, joined where the Unicode rules do not join what these scripts draw as one shape. */
function shapesOf(text: string): Shape[] {
  const shapes: Shape[] = []
  for (const { segment, index } of graphemeSegmenter.segment(text)) {
    const last = shapes.at(-1)
    if (last && JOINED.test(last.segment.slice(-2) + segment[0])) last.segment += segment
    else shapes.push({ segment, index })
  }
  return shapes.flatMap(({ segment, index }) =>
    Array.from(segment.matchAll(MAX_SHAPE), (part) => ({ segment: part[0], index: index + part.index })),
  )
}

/** Names repeat their clusters, and shaping a cluster costs as much as shaping a line. */
const widths = new Map<string, number>()
const MAX_WIDTHS = 20_000

function clusterWidth(cluster: Drawn): number {
  const key = `${cluster.face.name} ${cluster.text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  if (widths.size >= MAX_WIDTHS) widths.clear()
  const width = widthOf(cluster)
  widths.set(key, width)
  return width
}
