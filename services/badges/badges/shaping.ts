import { Blob, ClusterLevel, Face, Buffer as Letters, Font as Shaper, shape } from 'harfbuzzjs'
import { withOnly } from './font-file.ts'

/** Letters in the forms and places that their neighbours ask for, from the left to the right; measures are those of the font. */
export interface Shaped {
  glyphs: {
    id: number
    /** What the font gives it, whoever stands beside it. */
    advanceWidth: number
    /** What it stands for; none where the glyph before it says that already. */
    codePoints: number[]
  }[]
  positions: { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[]
  advanceWidth: number
}

/** Says which glyphs there are and where they go; outlines, most of a font, are for whoever draws. */
const TABLES = ['GDEF', 'GPOS', 'GSUB', 'OS/2', 'cmap', 'head', 'hhea', 'hmtx', 'maxp']

/** One for all: what it holds is outside of the heap, where the garbage collector sees no need to collect. */
const letters = new Letters()
letters.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS)

/**
 * Shapes text by HarfBuzz as browsers do. What fontkit does itself puts signs of Telugu, Kannada, Malayalam, Khmer and Thai in wrong places,
 * or fails. Text is taken to be of one script, and of its direction.
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
