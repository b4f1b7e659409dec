import type { BadgeLogo } from '../badge-templates/logos/store.ts'
import { modulesOf } from '../qr-codes/drawing.ts'
import { BASELINE, type BadgePage, type Drawing, type Placing, PT_PER_MM } from './drawing.ts'
import type { TextRun } from './lines.ts'
import type { TextBlock } from './text-layout.ts'

/** Draws a badge as a picture of its size: the same layout as in the PDF, with letters as outlines, so that no font is needed to show it. */
export function svgOf(page: BadgePage): string {
  const drawing = new SvgDrawing()
  page.draw(drawing)
  const [width, height] = [page.width, page.height].map((points) => rounded(points / PT_PER_MM))
  const box = `viewBox="0 0 ${rounded(page.width)} ${rounded(page.height)}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" ${box}>${drawing.shapes}</svg>`
}

class SvgDrawing implements Drawing {
  readonly #shapes: string[] = []

  get shapes(): string {
    return this.#shapes.join('')
  }

  fill(x: number, y: number, width: number, height: number, colour: string): void {
    const [left, top, wide, high] = [x, y, width, height].map(rounded)
    this.#shapes.push(`<rect x="${left}" y="${top}" width="${wide}" height="${high}" fill="${colour}"/>`)
  }

  text({ lines, size, leading }: TextBlock, top: number, colour: string, centre: number): void {
    for (const [index, { runs, width }] of lines.entries()) {
      let x = centre - (width * size) / 2
      const y = top + index * leading + size * BASELINE
      for (const run of runs) {
        this.#shapes.push(outlinesOf(run, x, y, size, colour))
        x += run.width * size
      }
    }
  }

  qrCode(content: string, x: number, y: number, length: number): void {
    const { side, strips } = modulesOf(content)
    const shapes = strips.map(([column, row, strip]) => `M${column} ${row}h${strip}v1h-${strip}z`)
    const placed = `translate(${rounded(x)} ${rounded(y)}) scale(${length / side})`
    this.#shapes.push(
      `<path transform="${placed}" shape-rendering="crispEdges" fill="#000000" d="${shapes.join('')}"/>`,
    )
  }

  image({ png }: BadgeLogo, x: number, y: number, width: number, height: number): void {
    const [left, top, wide, high] = [x, y, width, height].map(rounded)
    const data = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
    this.#shapes.push(`<image x="${left}" y="${top}" width="${wide}" height="${high}" href="${data}"/>`)
  }

  placed({ x, y, degrees = 0, scale = 1 }: Placing, work: () => void): void {
    this.#shapes.push(`<g transform="translate(${rounded(x)} ${rounded(y)}) rotate(${degrees}) scale(${scale})">`)
    work()
    this.#shapes.push('</g>')
  }
}

/** The outlines of a run of text. Fonts measure upwards from the baseline. */
function outlinesOf({ face, text }: TextRun, x: number, y: number, size: number, colour: string): string {
  const { glyphs, positions } = face.shaped(text)
  const scale = size / face.font.unitsPerEm
  let at = 0
  const outlines = glyphs.map(({ id, codePoints }, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
    const path = face.font.getGlyph(id, codePoints).path.toSVG()
    const outline = path && `<path transform="translate(${at + xOffset} ${yOffset})" d="${path}"/>`
    at += xAdvance
    return outline
  })
  const placed = `translate(${rounded(x)} ${rounded(y)}) scale(${scale} ${-scale})`
  return `<g transform="${placed}" fill="${colour}">${outlines.join('')}</g>`
}

function rounded(points: number): number {
  return Math.round(points * 1_000) / 1_000
}
