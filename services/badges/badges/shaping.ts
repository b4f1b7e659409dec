import { Blob, ClusterLevel, Face, Buffer as Letters, Font as Shaper, shape } from 'harfbuzzjs'
import { withOnly } from './font-file.ts'

/** Shaped text, from left to right, in font units. */
export interface Shaped {
  glyphs: {
    id: number
    /** Without regard to neighbours. */
    advanceWidth: number
    /** The text that it stands for; empty if that belongs to the glyph before it. */
    codePoints: number[]
  }[]
  positions: { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[]
  advanceWidth: number
}

/** Shaping needs only these. Outlines, most of a font, are left out. */
const TABLES = ['GDEF', 'GPOS', 'GSUB', 'OS/2', 'cmap', 'head', 'hhea', 'hmtx', 'maxp']

/** Shared, because its memory is outside of the heap and would not make the garbage collector run. */
const letters = new Letters()
letters.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS)

/**
 * Shapes text by HarfBuzz, as browsers do. fontkit's own shaping misplaces signs of Telugu, Kannada, Malayalam, Khmer and Thai, or fails.
 * A text must have one script and direction.
 */
export function shaperOf(font: Buffer): (text: string) => Shaped {
  const shaper = new Shaper(new Face(new Blob(withOnly(TABLES, font))))
  return (text) => {
    letters.clearContents()
    letters.addText(text)
    letters.guessSegmentProperties()
    shape(shaper, letters)
    const infos = letters.getGlyphInfos()
    const positions = letters.getGlyphPositions()

    const starts = [...new Set(infos.map(({ cluster }) => cluster)), text.length].sort((a, b) => a - b)
    const textAt = new Map(starts.map((start, index) => [start, text.slice(start, starts[index + 1])]))
    const glyphs = infos.map(({ codepoint: id, cluster }) => {
      const codePoints = Array.from(textAt.get(cluster) ?? '', (letter) => letter.codePointAt(0) as number)
      textAt.delete(cluster)
      return { id, advanceWidth: shaper.glyphHAdvance(id), codePoints }
    })
    return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) }
  }
}
