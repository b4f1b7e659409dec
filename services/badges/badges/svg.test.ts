// @module-tag slow
import { describe, expect, test } from 'vitest'
import { badgePage } from './page.ts'
import { svgOf } from './svg.ts'
import { sizesOf, type TemplateContent, templatePage } from './template-page.ts'

const content: TemplateContent = {
  title: 'Ada',
  texts: [{ text: 'Ada Lovelace', size: 24, weight: 700 }],
  qr_code: null,
  width_mm: 86,
  height_mm: 54,
  colour: '#aa3300',
  fold: 'none',
}
const long = { text: 'Wolfeschlegelsteinhausenbergerdorff', size: 60, weight: 700 as const }

describe('a badge as a picture', () => {
  test('has the size of the badge, and outlines of letters instead of text and fonts', () => {
    const svg = svgOf(templatePage(content))
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="86mm" height="54mm" viewBox="0 0 243\.78 153\.071">/,
    )
    // One of each letter; the space has none.
    expect(svg.match(/<path transform="translate\(\d+ 0\)"/g)).toHaveLength('AdaLovelace'.length)
    expect(svg).not.toMatch(/<text|font|Ada|href|style/)
  })

  test('has the strip in its colour, and the QR code as one shape', () => {
    const texts = [{ text: 'Ada', size: 24, weight: 700 as const }]
    const svg = svgOf(templatePage({ ...content, texts, qr_code: 'MECARD:UID:x;;' }))
    expect(svg.match(/fill="(#\w+)"/g)).toEqual(['fill="#aa3300"', 'fill="#000000"', 'fill="#111827"'])
  })

  test('folded in the middle shows both sides', () => {
    const svg = svgOf(templatePage({ ...content, fold: 'middle' }))
    expect(svg.match(/rotate\(180\)/g)).toHaveLength(1)
    expect(svg.match(/#aa3300/g)).toHaveLength(2)
  })

  test('without a template is A6', () => {
    const svg = svgOf(badgePage({ name: 'Ada', company_name: '', position: '', category: 'VIP', qr_code: null }))
    expect(svg).toContain('width="105.001mm" height="148.001mm"')
  })
})

describe('the sizes of lines', () => {
  test('are those of the template where all fits', () => {
    expect(sizesOf(content)).toEqual([{ text: 'Ada Lovelace', size: 24, printed_size: 24 }])
  })

  test('are smaller where the texts do not fit, in their order', () => {
    const [first, second] = sizesOf({ ...content, texts: [long, ...content.texts] })
    expect(first).toMatchObject({ text: long.text, size: 60 })
    expect(first?.printed_size).toBeLessThan(60)
    expect(second).toMatchObject({ text: 'Ada Lovelace', size: 24 })
  })
})
