import PDFDocument from 'pdfkit'
import { modulesOf } from '../qr-codes/drawing.ts'
import type { TextBlock } from './text-layout.ts'

/** Points in a millimetre. */
export const PT_PER_MM = 72 / 25.4

/** Distance of the baseline from the top of its line, as a fraction of the size. */
const BASELINE = 0.95

/** A PDF of one page on which a badge is drawn. All drawing is synchronous, since concurrent documents share their fonts. */
export class BadgeDrawing {
  readonly #document: PDFKit.PDFDocument
  readonly #registered = new Set<string>()

  constructor({ width, height }: { width: number; height: number }, title: string, created = new Date()) {
    this.#document = new PDFDocument({
      size: [width, height],
      margin: 0,
      // Otherwise pdfkit reads its default font, which is not used.
      font: '',
      info: { Title: title, Creator: 'Gatehouse', CreationDate: created },
      displayTitle: true,
    })
  }

  /** Fills a rectangle. */
  fill(x: number, y: number, width: number, height: number, colour: string): void {
    this.#document.rect(x, y, width, height).fill(colour)
  }

  /** Draws text, each line centred at `centre`. */
  text({ lines, size, leading }: TextBlock, top: number, colour: string, centre: number): void {
    const document = this.#document
    for (const [index, { runs, width }] of lines.entries()) {
      let x = centre - (width * size) / 2
      const y = top + index * leading + size * BASELINE
      for (const { face, text, meant, width: wide } of runs) {
        if (!this.#registered.has(face.name)) {
          this.#registered.add(face.name)
          document.registerFont(face.name, face.font as unknown as PDFKit.Mixins.PDFFontSource)
        }
        // With a list of features pdfkit shapes the run as a whole. Without one it shapes each word, and puts words of right-to-left
        // scripts in the wrong order.
        document.font(face.name, size).fillColor(colour)
        if (meant !== undefined) document.markContent('Span', { actual: meant })
        document.text(text, x, y, { lineBreak: false, features: [], baseline: 'alphabetic' })
        if (meant !== undefined) document.endMarkedContent()
        x += wide * size
      }
    }
  }

  qrCode(content: string, x: number, y: number, length: number): void {
    const { side, strips } = modulesOf(content)
    const unit = length / side
    for (const [column, row, strip] of strips)
      this.#document.rect(x + column * unit, y + row * unit, strip * unit, unit)
    this.#document.fill('#000000')
  }

  /** Draws by `work` in coordinates of its own. */
  placed({ x, y, degrees = 0, scale = 1 }: Placing, work: () => void): void {
    this.#document.save().translate(x, y)
    if (degrees !== 0) this.#document.rotate(degrees)
    if (scale !== 1) this.#document.scale(scale)
    work()
    this.#document.restore()
  }

  /** Ends the document and returns it. */
  async bytes(): Promise<Buffer> {
    this.#document.end()
    const chunks: Uint8Array[] = []
    for await (const chunk of this.#document) chunks.push(chunk as unknown as Uint8Array)
    return Buffer.concat(chunks)
  }
}

/** Where something is drawn: its origin, and how it is turned and scaled there. */
interface Placing {
  x: number
  y: number
  degrees?: number
  scale?: number
}
