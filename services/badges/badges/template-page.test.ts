import { pdftotext, readPdf } from '@gatehouse/test/harness/pdf.ts'
import { describe, expect, test } from 'vitest'
import type { BadgeTemplate } from '../badge-templates/resource.ts'
import type { Printed } from '../guests.ts'
import { drawTemplateBadge, metadataNamesOf, type TemplateContent, templateContentOf } from './template-page.ts'

const line = (field: string, size = 16, weight: 'regular' | 'bold' = 'regular') => ({ field, size, weight })
const template = {
  width_mm: 86,
  height_mm: 54,
  colour: '#aa3300',
  fold: 'none',
  shows_qr_code: true,
  lines: [line('name', 24, 'bold'), line('diet'), line('category'), line('company_name')],
} as BadgeTemplate
const guest = {
  uid: 'ADA1815',
  first_name: 'Ada',
  last_name: 'Lovelace',
  company_name: ' Analytical\nEngines ',
  category: { name: 'Speaker' },
} as Printed

const contentOf = (fields: Partial<BadgeTemplate> = {}, qr_code: string | null = null) =>
  templateContentOf({ ...template, ...fields }, guest, new Map([['diet', 'vegan']]), qr_code)

const textsOf = (content: TemplateContent) => content.texts.map(({ text }) => text)

/** The text on a page, without its spaces: a wrapped word is one word. */
async function lettersOf(content: TemplateContent): Promise<string> {
  return (await readPdf(await drawTemplateBadge(content))).text.replaceAll(' ', '')
}

describe('the content of a badge by a template', () => {
  test('has the lines in their order, with fields of the guest, name, category and metadata', () => {
    expect(textsOf(contentOf())).toEqual(['Ada Lovelace', 'vegan', 'Speaker', 'Analytical Engines'])
  })

  test('leaves out lines of which the guest has no text, or none that a font has', () => {
    expect(textsOf(contentOf({ lines: [line('position'), line('table'), line('uid')] }))).toEqual(['ADA1815'])
    const javanese = { ...guest, company_name: '\ua997\ua9a9' }
    const { texts } = templateContentOf({ ...template, lines: [line('company_name')] }, javanese, new Map(), null)
    expect(texts).toEqual([])
  })

  test('is that of metadata only under names that no guest field has', () => {
    expect(
      metadataNamesOf({ lines: ['name', 'category', 'uid', 'diet', 'Table'].map((field) => line(field)) }),
    ).toEqual(['diet', 'Table'])
    const mine = templateContentOf({ ...template, lines: [line('uid')] }, guest, new Map([['uid', 'mine']]), null)
    expect(textsOf(mine)).toEqual(['ADA1815'])
  })
})

describe('a badge by a template', () => {
  test.each([
    [86, 54],
    [54, 86],
    [20, 300],
    [300, 20],
  ])('is one page of its size: %d × %d mm', async (width_mm, height_mm) => {
    const { pages } = await readPdf(await drawTemplateBadge(contentOf({ width_mm, height_mm }, 'MECARD:UID:x;;')))
    expect(pages.map((side) => side.map((points) => Math.round((points * 25.4) / 72)))).toEqual([[width_mm, height_mm]])
  })

  test('shows all lines, and can be searched', async () => {
    expect(await pdftotext(await drawTemplateBadge(contentOf({}, 'MECARD:UID:x;;')))).toMatch(
      /Ada Lovelace\s+vegan\s+Speaker\s+Analytical Engines/,
    )
  })

  test('has the guest’s code as a text below the QR code, unless that is a line already', async () => {
    const shown = (lines: BadgeTemplate['lines'], qr_code: string | null, code: string) =>
      lettersOf(templateContentOf({ ...template, lines }, guest, new Map(), qr_code, code))
    const [qrCode, name] = ['MECARD:UID:ADA1815;;', line('company_name')]
    expect(await shown([name], qrCode, 'ADA1815')).toBe('AnalyticalEnginesADA1815')
    expect(await shown([line('uid')], qrCode, 'ADA1815')).toBe('ADA1815')
    expect(await shown([name], null, '')).toBe('AnalyticalEngines')
  })

  test('leaves out a code that it has no room for: a part would be another one', async () => {
    const long = 'x'.repeat(200)
    const content = templateContentOf({ ...template, lines: [] }, guest, new Map(), 'MECARD:UID:x;;', long)
    expect(await lettersOf(content)).toBe('')
  })

  test('folded in the middle shows its lines on both sides', async () => {
    const letters = await lettersOf(contentOf({ fold: 'middle', height_mm: 108, lines: [line('company_name')] }))
    expect(letters.split('AnalyticalEngines')).toHaveLength(3)
  })

  test.each([
    ['a long name', 'Wolfeschlegelsteinhausenbergerdorff '.repeat(7).trim()],
    ['a name that is one word', 'W'.repeat(255)],
    ['Chinese', '界'.repeat(255)],
  ])('never cuts off %s, however small it is', async (_what, text) => {
    for (const [width_mm, height_mm] of [
      [86, 54],
      [20, 20],
    ] as const) {
      const texts = [text, text, text].map((each) => ({ text: each, size: 60, weight: 700 as const }))
      const letters = await lettersOf({ ...contentOf({ width_mm, height_mm }, 'MECARD:UID:x;;'), texts })
      expect(letters).toBe(text.replaceAll(' ', '').repeat(3))
    }
  })
})
