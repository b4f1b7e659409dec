import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import PDFDocument from 'pdfkit'
import type { BadgePage } from './drawing.ts'
import { bytesOf, optionsOf, PdfDrawing } from './pdf.ts'

/**
 * A long PDF in parts of some badges each, so that no process holds all of it, and any process can make the next part. Each part has fonts and
 * pages of its own, and a table of where they are in the file. Each table names the one before, as in a PDF that was updated (ISO 32000-1,
 * 7.5.6). The last part adds the list of all pages.
 */

/** How far a file is. */
export interface FilePosition {
  parts: number
  pages: number
  bytes: number
  /** Where the last table begins. */
  table: number
}

/** Where a file begins. */
export const BEGINNING: FilePosition = { parts: 0, pages: 0, bytes: 0, table: 0 }

/** A part, and where the next one begins. */
export interface FilePart {
  bytes: Buffer
  end: FilePosition
}

/** Draws badges as a part of a file. `comment` is a line at its beginning, which readers of PDF ignore. */
export async function partOf(
  pages: BadgePage[],
  from: FilePosition,
  { isLast, comment }: { isLast: boolean; comment: string },
): Promise<FilePart> {
  const document = new PartDocument(from, isLast ? from.pages + pages.length : undefined)
  document._write(`%${comment}`)
  const drawing = new PdfDrawing(document)
  await timeSlicer.map(pages, (page) => drawing.add(page))
  document.end()
  const bytes = await bytesOf(document)
  return {
    bytes,
    end: {
      parts: from.parts + 1,
      pages: from.pages + pages.length,
      bytes: from.bytes + bytes.length,
      table: document.tableAt,
    },
  }
}

/** Numbers of objects that each part has to itself. A page takes three, a font five, a picture four. */
const PER_PART = 2_000

/** The objects of the last part that stand for the file. */
const CATALOG = 1
const PAGES = 2
const OF_FILE = 2

/** The number before those of a part. Its own list of pages is the first of them. */
const before = (part: number): number => OF_FILE + part * PER_PART

interface Numbered {
  id: number
  offset: number
}

/** A document whose objects have the numbers of a part. It overrides those few methods of pdfkit that number objects, and write their table. */
class PartDocument extends PDFDocument {
  declare options: PDFKit.PDFDocumentOptions & { position: FilePosition }
  declare _offset: number
  declare _root: { data: { Pages: { data: { Parent?: object } } } }
  declare _info: object
  declare _write: (data: string) => void
  declare _waiting: number
  declare _ended: boolean
  /** Where its table begins in the file. */
  tableAt = 0
  readonly #objects: Numbered[] = []
  readonly #position: FilePosition
  /** Pages of the whole file; undefined unless the part is the last. */
  readonly #count: number | undefined

  constructor(position: FilePosition, count: number | undefined) {
    super({ ...optionsOf('Badges'), displayTitle: false, position } as PDFKit.PDFDocumentOptions)
    this.#position = position
    this.#count = count
    this._offset += position.bytes
    const pages = super.ref({}) as object as Numbered
    pages.id = PAGES
    // It is written with the last part, so that this one does not wait for it.
    this._waiting--
    this._root.data.Pages.data.Parent = pages
  }

  // The constructor of pdfkit calls it before there are fields.
  override ref(data: object): PDFKit.PDFKitReference {
    const reference = super.ref(data) as PDFKit.PDFKitReference & Numbered
    reference.id += before(this.options.position.parts)
    return reference
  }

  _refEnd({ id, offset }: Numbered): void {
    this.#objects.push({ id, offset })
    if (--this._waiting > 0 || !this._ended) return
    this._ended = false
    this._finalize()
  }

  _finalize(): void {
    const { parts, table } = this.#position
    const last = Math.max(...this.#objects.map(({ id }) => id))
    if (last > before(parts + 1)) throw new Error(`A part of a PDF has ${last - before(parts)} objects`)
    if (this.#count !== undefined) this.#writePages(this.#count)
    this.tableAt = this._offset
    this._write('xref')
    for (const section of sectionsOf(this.#objects)) {
      this._write(`${section[0]?.id} ${section.length}`)
      for (const { offset } of section) this._write(`${String(offset).padStart(10, '0')} 00000 n `)
    }
    const previous = parts > 0 ? ` /Prev ${table}` : ''
    this._write(`trailer\n<< /Size ${before(parts + 1)} /Root ${CATALOG} 0 R /Info ${this._info}${previous} >>`)
    if (this.#count !== undefined) this._write(`startxref\n${this.tableAt}\n%%EOF`)
    this.push(null)
  }

  /** Writes the list of the lists of all parts. */
  #writePages(count: number): void {
    const lists = Array.from({ length: this.#position.parts + 1 }, (_, part) => `${before(part) + 1} 0 R`)
    const objects = [
      [CATALOG, `<< /Type /Catalog /Pages ${PAGES} 0 R >>`],
      [PAGES, `<< /Type /Pages /Count ${count} /Kids [${lists.join(' ')}] >>`],
    ] as const
    for (const [id, text] of objects) {
      this.#objects.push({ id, offset: this._offset })
      this._write(`${id} 0 obj\n${text}\nendobj`)
    }
  }
}

/** Objects by number, in runs of consecutive ones. */
function sectionsOf(objects: Numbered[]): Numbered[][] {
  const sections: Numbered[][] = []
  for (const object of objects.toSorted((one, other) => one.id - other.id)) {
    const section = sections.at(-1)
    if (section?.at(-1)?.id === object.id - 1) section.push(object)
    else sections.push([object])
  }
  return sections
}
