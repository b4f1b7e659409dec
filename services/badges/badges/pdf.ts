import PDFDocument from 'pdfkit'
import type { BadgeLogo } from '../badge-templates/logos/store.ts'
import { modulesOf } from '../qr-codes/drawing.ts'
import { BASELINE, type BadgePage, type Drawing, type Placing } from './drawing.ts'
import type { TextBlock } from './text-layout.ts'

/** A document without a page, which draws with our fonts. */
export function optionsOf(title: string, created = new Date()): PDFKit.PDFDocumentOptions {
  return {
    autoFirstPage: false,
    margin: 0,
    // Otherwise pdfkit reads its default font, which is not used.
    font: '',
    info: { Title: title, Creator: 'Gatehouse', CreationDate: created },
    displayTitle: true,
  }
}

/** Draws a badge as a PDF of one page. */
export async function pdfOf(page: BadgePage, created?: Date): Promise<Buffer> {
  const document = new PDFDocument(optionsOf(page.title, created))
  new PdfDrawing(document).add(page)
  document.end()
  return bytesOf(document)
}

/** All bytes of a document that has ended. */
export async function bytesOf(document: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of document) chunks.push(chunk as unknown as Uint8Array)
  return Buffer.concat(chunks)
}

/** What its types lack. */
type Opening = PDFKit.PDFDocument & { openImage(bytes: Buffer): unknown }

/** Draws badges on pages of a PDF. Each page is drawn synchronously, since documents share their fonts. */
export class PdfDrawing implements Drawing {
  readonly #document: PDFKit.PDFDocument
  readonly #fonts = new Set<string>()
  readonly #images = new Map<string, unknown>()

  constructor(document: PDFKit.PDFDocument) {
    this.#document = document
  }

  /** Draws a badge on a page of its own. */
  add(page: BadgePage): void {
    this.#document.addPage({ size: [page.width, page.height], margin: 0 })
    page.draw(this)
  }

  fill(x: number, y: number, width: number, height: number, colour: string): void {
    this.#document.rect(x, y, width, height).fill(colour)
  }

  text({ lines, size, leading }: TextBlock, top: number, colour: string, centre: number): void {
    const document = this.#document
    for (const [index, { runs, width }] of lines.entries()) {
      let x = centre - (width * size) / 2
      const y = top + index * leading + size * BASELINE
      for (const { face, text, meant, width: wide } of runs) {
        if (!this.#fonts.has(face.name)) {
          this.#fonts.add(face.name)
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

  image({ logo_id, png }: BadgeLogo, x: number, y: number, width: number, height: number): void {
    // An opened picture is in the document once, however often it is drawn.
    const opened = this.#images.get(logo_id) ?? (this.#document as Opening).openImage(Buffer.from(png))
    this.#images.set(logo_id, opened)
    this.#document.image(opened as unknown as string, x, y, { width, height })
  }

  placed({ x, y, degrees = 0, scale = 1 }: Placing, work: () => void): void {
    this.#document.save().translate(x, y)
    if (degrees !== 0) this.#document.rotate(degrees)
    if (scale !== 1) this.#document.scale(scale)
    work()
    this.#document.restore()
  }
}
