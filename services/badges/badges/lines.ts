import { bidi } from './bidi.ts'
import { type Cluster, widthOf } from './clusters.ts'
import type { Drawn } from './fonts.ts'

/** Text of one font and one direction. */
export interface TextRun extends Drawn {
  /** What a reader searches or copies, where the font takes letters apart or moves them. */
  meant?: string
  /** At size 1. */
  width: number
}

/** A line of runs, from left to right. */
export interface TextLine {
  runs: TextRun[]
  /** At size 1. */
  width: number
}

/** The runs of a line's clusters, in the order in which they are drawn. */
export function lineOf(clusters: Cluster[]): TextLine {
  const groups: Cluster[][] = []
  for (const cluster of clusters) {
    const group = groups.at(-1)
    if (group?.[0]?.level === cluster.level && group[0].face === cluster.face) group.push(cluster)
    else groups.push([cluster])
  }
  const runs = visualOrder(groups).map(runOf)
  return { runs, width: runs.reduce((sum, { width }) => sum + width, 0) }
}

/** Rule L2 of the bidirectional algorithm for groups of one level each: to the library each group is a letter. */
function visualOrder(groups: Cluster[][]): Cluster[][] {
  const levels = Uint8Array.from(groups, ([first]) => first?.level ?? 0)
  const paragraphs = [{ start: 0, end: groups.length - 1, level: 0 }]
  const order = bidi.getReorderedIndices('x'.repeat(groups.length), { levels, paragraphs })
  return order.flatMap((index) => [groups[index] ?? []])
}

const TAKEN_APART =
  /[\p{scx=Thai}\p{scx=Khmr}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}]/u

function runOf(clusters: Cluster[]): TextRun {
  const { face, level } = clusters[0] as Cluster
  const isRightToLeft = level % 2 === 1
  const text = isRightToLeft ? rightToLeft(clusters) : textOf(clusters)
  const meant = !isRightToLeft && TAKEN_APART.test(text) && { meant: text }
  return { face, text, ...meant, width: widthOf({ face, text }) }
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Shaping turns letters of such a script around and mirrors the brackets between them, but not signs that stand alone. */
function rightToLeft(clusters: Cluster[]): string {
  const text = textOf(clusters)
  if (RIGHT_TO_LEFT.test(text)) return text
  const mirrored = clusters.map((cluster) => bidi.getMirroredCharacter(cluster.text) ?? cluster.text)
  return mirrored.reverse().join('')
}

function textOf(clusters: Cluster[]): string {
  return clusters.map(({ text }) => text).join('')
}
