import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { findTool } from '@gatehouse/local/test-tools'
import { PDFiumLibrary } from '@hyzyla/pdfium'

/** The text and the pages of a PDF. */
interface ReadPdf {
  /** The text of all pages in one line. */
  text: string
  /** Width and height of each page, in points. */
  pages: [number, number][]
}

let library: Promise<PDFiumLibrary> | undefined

/** Reads a PDF as Chrome does: this text is found when people search in it or copy from it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(bytes)
  try {
    const pages = [...document.pages()]
    const sizes = pages.map((page): [number, number] => {
      const { originalWidth, originalHeight } = page.getOriginalSize()
      return [originalWidth, originalHeight]
    })
    // PDFium gives U+FFFE for a hyphen at the end of a line.
    const text = pages.map((page) => page.getText().replaceAll('\ufffe', '-')).join('\n')
    return { text: inOneLine(text), pages: sizes }
  } finally {
    document.destroy()
  }
}

/** The text of a PDF in one line, by pdftotext, which is fetched first if it is not installed. */
export async function pdftotext(bytes: Uint8Array): Promise<string> {
  const { path, env } = await findTool('pdftotext', console.log)
  const reading = spawn(path, ['-', '-'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const failed = new Promise<never>((_, reject) => reading.once('error', reject))
  reading.stdin.end(bytes)
  return inOneLine(await Promise.race([text(reading.stdout), failed]))
}

function inOneLine(found: string): string {
  return found.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
