// @module-tag slow
import { pdftotext, readPdf } from '@gatehouse/test/harness/pdf.ts'
import { describe, expect, test } from 'vitest'
import type { BadgePage } from './drawing.ts'
import { badgePage } from './page.ts'
import { BEGINNING, partOf } from './pdf-parts.ts'
import { templatePage } from './template-page.ts'

const usual = (name: string): BadgePage =>
  badgePage({ name, company_name: '界', position: '', category: 'VIP', qr_code: 'MECARD:UID:x;;' })
const card = (text: string): BadgePage =>
  templatePage({
    title: text,
    texts: [{ text, size: 20, weight: 700 }],
    qr_code: null,
    width_mm: 86,
    height_mm: 54,
    colour: '#000000',
    fold: 'none',
  })

/** A file of parts of these pages. */
async function fileOf(parts: BadgePage[][]): Promise<Buffer> {
  let at = BEGINNING
  const made: Buffer[] = []
  for (const [index, pages] of parts.entries()) {
    const { bytes, end } = await partOf(pages, at, {
      isLast: index === parts.length - 1,
      comment: `Badges ${at.pages}`,
    })
    made.push(bytes)
    at = end
  }
  return Buffer.concat(made)
}

/** The offsets of all objects, by the tables alone: a reader that finds a table wrong searches the file instead, and hides it. */
function tablesOf(file: Buffer): Map<number, number> {
  const text = file.toString('latin1')
  const found = new Map<number, number>()
  let at: number | undefined = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  while (at !== undefined) {
    const [table = '', sections = '', trailer = '']: string[] =
      /^xref\n([\d nf\n]+)trailer\n(<<.*?>>)/s.exec(text.slice(at)) ?? []
    expect(table, `a table at ${at}`).not.toBe('')
    let next = 0
    for (const line of sections.slice(0, -1).split('\n')) {
      const [, offset] = /^(\d{10}) 00000 n $/.exec(line) ?? []
      if (offset === undefined) next = Number(line.split(' ')[0])
      else found.set(next++, Number(offset))
    }
    const previous: string | undefined = /\/Prev (\d+)/.exec(trailer)?.[1]
    at = previous === undefined ? undefined : Number(previous)
  }
  return found
}

describe('a PDF in parts', () => {
  test('is one file of all pages in their order, each of its own size', async () => {
    const file = await fileOf([[usual('Ada'), card('Bob')], [card('Cleo')], [], [usual('Доротея')]])
    const { pages } = await readPdf(file)
    expect(pages.map(([width = 0]) => Math.round((width * 25.4) / 72))).toEqual([105, 86, 86, 105])
    expect((await pdftotext(file)).match(/Ada|Bob|Cleo|Доротея/g)).toEqual(['Ada', 'Bob', 'Cleo', 'Доротея'])
  })

  test.each([1, 2, 5])('of %d parts has each object where its tables say', async (count) => {
    const file = await fileOf(Array.from({ length: count }, (_, index) => [usual(`Ada ${index}`), card('界面')]))
    const text = file.toString('latin1')
    const offsets = tablesOf(file)
    expect(offsets.size).toBe(text.match(/^\d+ 0 obj$/gm)?.length)
    for (const [id, offset] of offsets) expect(text.slice(offset, offset + 20)).toMatch(new RegExp(`^${id} 0 obj\n`))
    const named = [...text.matchAll(/(\d+) 0 R/g)].map(([, id]) => Number(id))
    expect(named.filter((id) => !offsets.has(id))).toEqual([])
  })
})
