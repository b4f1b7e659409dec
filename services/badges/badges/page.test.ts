import { badgeFields } from '@gatehouse/guests/resources'
import { optionalText } from '@gatehouse/proto/declaring/fields.ts'
import { pdftotext, readPdf } from '@gatehouse/test/harness/pdf.ts'
import jsqr from 'jsqr'
import { describe, expect, test } from 'vitest'
import type { Printed } from '../guests.ts'
import { modulesOf } from '../qr-codes/drawing.ts'
import { type BadgeContent, badgeContentOf, drawBadge } from './page.ts'
import { clean } from './printable.ts'
import { layOutText } from './text-layout.ts'

const blank: BadgeContent = { name: 'Ada Lovelace', company_name: '', position: '', category: 'VIP', qr_code: null }

/** The text of a badge as a PDF reader extracts it, with a space for each line end. */
async function textOf(face: Partial<BadgeContent>): Promise<string> {
  const { text, pages } = await readPdf(await drawBadge({ ...blank, ...face }))
  expect(pages).toHaveLength(1)
  return text
}

describe('the text of a badge', () => {
  test.each([
    ['Latin', 'Zoë Łukasiewicz-Ñandú'],
    ['Vietnamese', 'Nguyễn Thị Minh Khai'],
    ['Cyrillic', 'Екатерина Чайковская'],
    ['Greek', 'Ελένη Παπαδοπούλου'],
    ['Arabic', 'محمد بن عبد الله الخوارزمي'],
    ['Hebrew', 'דוד בן גוריון'],
    ['Chinese', '王小明 歐陽娜'],
    ['Japanese', '東京 さくら サクラ'],
    ['Korean', '김민준'],
    ['Thai', 'สมชาย ใจดี'],
    ['Hindi', 'दीपिका पादुकोण'],
    ['Bengali', 'রবীন্দ্রনাথ ঠাকুর'],
    ['Punjabi', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ'],
    ['Tamil', 'சுப்பிரமணியன் சந்திரசேகர்'],
    ['Gujarati', 'શ્રેયા પટેલ'],
    ['Telugu', 'శ్రీనివాస్ కృష్ణమూర్తి'],
    ['Kannada', 'ಶ್ರೀನಿವಾಸ ಲಕ್ಷ್ಮೀನಾರಾಯಣ'],
    ['Malayalam', 'ശ്രീകുമാർ കൃഷ്ണൻ'],
    ['Sinhala', 'චන්ද්‍රිකා ප්‍රියන්ත'],
    ['Khmer', 'ស្រីនាង សីហនុ'],
    ['Amharic', 'ዐቢይ አህመድ'],
    ['Georgian', 'გიორგი მამარდაშვილი'],
    ['Armenian', 'Արամ Խաչատրյան'],
    ['emoji', 'Ada 🎟️ Lovelace'],
    ['Japanese beyond the first plane', '𠮷野 𩸽子 𠮟'],
    ['Cantonese beyond the first plane', '𤭮𠝹 陳大文'],
  ])('%s is drawn with letters and can be searched for', async (_script, name) => {
    // The parts of a hyphenated word may stand on two lines.
    const found = await textOf({ name })
    expect(found.replaceAll('- ', '-')).toContain(name)
  })

  test('a letter that no font has is a sign that says so, never an empty box', () => {
    for (const [name, drawn] of [
      ['王\u{2a6d6}明', '王〓明'],
      ['Ada \u{10330}\u{12000} Lovelace', 'Ada ?? Lovelace'],
      ['陳 \u{3106c}', '陳 〓'],
    ] as const) {
      const { lines } = layOutText(clean(name), { width: 250, height: 90, weight: 700, largest: 34 })
      const runs = lines.flatMap((line) => line.runs)
      expect(lines.map((line) => line.runs.map(({ text }) => text).join('')).join(' ')).toBe(drawn)
      for (const { face, text } of runs)
        for (const letter of text) expect(face.font.hasGlyphForCodePoint(letter.codePointAt(0) as number)).toBe(true)
    }
  })

  test.each([
    'Ada Lovelace',
    '𠮷野家',
    'Екатерина Чайковская',
    '王小明',
    'გიორგი',
    'রবীন্দ্রনাথ',
    'ਗੁਰਪ੍ਰੀਤ',
    'శ్రీనివాస్',
    'ស្រីនាង',
  ])('pdftotext finds %s', async (name) => {
    expect(await pdftotext(await drawBadge({ ...blank, name }))).toContain(name)
  })

  test('includes position, company and category', async () => {
    const text = await textOf({ position: 'Countess', company_name: 'Analytical Engines', category: 'Speaker' })
    expect(text).toBe('Speaker Ada Lovelace Countess Analytical Engines')
  })

  test('includes further lines below, however many and long the texts are', async () => {
    const lines = ['Table 7', 'Vegetarian']
    const face = { position: 'Countess', company_name: 'Analytical Engines', category: 'Speaker', lines }
    expect(await textOf(face)).toBe('Speaker Ada Lovelace Countess Analytical Engines Table 7 Vegetarian')
    const long = (letter: string) => `${letter.repeat(9)} `.repeat(6).trim()
    const many = [...'abcdef'].map(long)
    const crowded = { name: long('N'), position: long('P'), company_name: long('C'), qr_code: 'MECARD:UID:x;;' }
    const bytes = await drawBadge({ ...blank, ...crowded, lines: many })
    expect((await readPdf(bytes)).text).toBe(
      ['VIP', crowded.name, crowded.position, crowded.company_name, ...many].join(' '),
    )
  })

  test('a name of 90 characters is drawn whole, on several lines', async () => {
    const name = 'Maria Magdalena Alexandrina Wilhelmina von und zu Hohenzollern Sigmaringen und Schwarzenberg'
    expect(name.length).toBeGreaterThan(89)
    expect(await textOf({ name, qr_code: 'MECARD:UID:x;;' })).toContain(name)
  })

  test('letters are the same in each document, whatever was drawn before', async () => {
    for (const name of ['Ñandú Éloïse', 'Nadia Eloise', 'Ñandú Éloïse']) expect(await textOf({ name })).toContain(name)
  })

  test('badges that are drawn concurrently do not mix', async () => {
    const names = ['Ñandú Éloïse', 'Nadia Eloise', '王小明', 'Ёлка Елкин', 'Élo Nandu']
    const drawn = await Promise.all(names.map((name) => textOf({ name })))
    for (const [index, name] of names.entries()) expect(drawn[index]).toContain(name)
  })

  test('a badge is made despite marks that no font can place', async () => {
    for (const name of ['Ada \u0606\u061a Lovelace', 'Ada ม๊ฬุำ๊อุา่ฎ Lovelace']) {
      expect(await textOf({ name })).toMatch(/Ada .* ?Lovelace/)
    }
  })

  test('letters without a font are drawn as plain letters or without their marks', async () => {
    for (const [name, drawn] of [
      ['𝓐𝓭𝓪', 'Ada'],
      ['Am̧a', 'Ama'],
      [`Z${'\u0300\u0301\u0302\u0303\u0304'.repeat(12)}algo`, 'Zalgo'],
    ] as const) {
      const { lines } = layOutText(clean(name), { width: 250, height: 90, weight: 700, largest: 34 })
      expect(lines.map(({ runs }) => runs.map((run) => run.text).join(''))).toEqual([drawn])
      expect(await textOf({ name })).toContain(drawn)
    }
  })

  test('characters without a font leave the others as they are', async () => {
    const text = await textOf({ name: 'Ada \u{1F3FB}\u{10FFFD} Lovelace', company_name: 'Engines' })
    expect(text).toMatch(/Ada .* ?Lovelace/)
  })
})

describe('text layout', () => {
  const frame = { width: 250, height: 90, weight: 700, largest: 34 } as const
  const textIn = (text: string) => {
    const { size, lines, height } = layOutText(clean(text), frame)
    return { size, height, lines: lines.map(({ runs }) => runs.map((run) => run.text).join('')), lengths: lines }
  }

  test('uses the largest size of the frame at which the text fits', () => {
    expect(textIn('Ada Lovelace')).toMatchObject({ size: 34, lines: ['Ada Lovelace'] })
    const { size, lines } = textIn('Bartholomew Featherstonehaugh')
    expect(size).toBeLessThan(34)
    expect(lines).toEqual(['Bartholomew', 'Featherstonehaugh'])
  })

  test.each([
    'W'.repeat(510),
    'Wolfeschlegelsteinhausenbergerdorff '.repeat(14),
    '界'.repeat(510),
    'م'.repeat(510),
    // Each of these is one grapheme cluster, or looks like one.
    'क्'.repeat(255),
    'ಲಕ್ಷ್ಮೀ'.repeat(70),
    'ක්‍'.repeat(170),
    'ស្ត្រី'.repeat(85),
    'త్రి'.repeat(120),
  ])('text never leaves its frame (%#)', (text) => {
    const { size, height, lengths } = textIn(text)
    expect(height).toBeLessThanOrEqual(frame.height)
    for (const { width } of lengths) expect(width * size).toBeLessThanOrEqual(frame.width + 0.01)
  })

  test('Thai and Chinese break between words although they have no spaces', () => {
    expect(textIn('สมชายใจดีมากที่สุดในโลกใบนี้และจักรวาล').lines.length).toBeGreaterThan(1)
    expect(textIn('北京大学计算机科学技术研究所教授').size).toBeGreaterThan(20)
  })

  test('right-to-left text begins at the right, and Latin letters in it run from left to right', () => {
    const { lines } = textIn('محمد (Omar)')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/Omar.*محمد/)
  })

  test('control characters, lone surrogates and overrides of direction are removed', () => {
    expect(clean(' Ada\n\u0000\u0007 \ud800 Lovelace ')).toBe('Ada \ufffd Lovelace')
    expect(clean('Ada \u202eecalevoL\u202c')).toBe('Ada ecalevoL\u202c')
  })

  test('brackets in right-to-left text are mirrored', () => {
    expect(textIn('محمد (بن) علي').lines[0]).toContain('(بن)')
  })

  test.each(['ಲಕ್ಷ್ಮೀನಾರಾಯಣ', 'ස්ත්‍රී', 'ਗੁਰਪ੍ਰੀਤ', 'ஸ்ரீ'])('%s fits a frame as wide as its shapes', (word) => {
    const wide = { ...frame, width: 10_000 }
    const needed = (layOutText(word, wide).lines[0]?.width ?? 0) * frame.largest
    expect(layOutText(word, { ...frame, width: needed + 0.01 })).toMatchObject({ size: 34, lines: [{}] })
  })

  test('scripts with letters below letters get more leading', () => {
    expect(layOutText('ស្ត្រី', frame).leading).toBeGreaterThan(layOutText('Ada', frame).leading)
  })

  test.each([
    ['Gujarati joins letters in one shape', 'શ્ર', [null]],
    ['Telugu writes a second letter below the first', 'శ్రీ', [null, null]],
    ['Kannada writes r behind the letter that it is spoken before', 'ರ್ತ', ['ತ', null]],
    ['Malayalam writes r before the letter that it is spoken behind', 'ശ്ര', [null, 'ശ']],
    ['Malayalam writes a vowel around a letter', 'കൊ', [null, 'ക', null]],
    ['Sinhala writes r above a letter where a joiner says so', 'ර්‍ම', [null]],
    ['Sinhala writes e before a letter', 'කෙ', [null, 'ක']],
    ['Khmer writes a vowel before a letter, and another letter below it', 'ខ្មែ', [null, 'ខ', null]],
    ['Thai puts a tone above the vowel sign', 'น้ำ', ['น', '\u0e4d', null, 'า']],
  ])('%s: %s', (_rule, text, expected) => {
    const [run] = layOutText(text, frame).lines[0]?.runs ?? []
    const letters = expected.filter((letter) => letter !== null)
    const own = new Map(letters.map((letter) => [run?.face.shaped(letter).glyphs[0]?.id, letter]))
    expect(run?.face.shaped(run.text).glyphs.map(({ id }) => own.get(id) ?? null)).toEqual(expected)
    // Glyph 0 is the box for missing letters.
    expect(run?.face.shaped(run.text).glyphs.every(({ id }) => id > 0)).toBe(true)
  })
})

describe('a guest whose name has no font', () => {
  const javanese = '\ua997\ua9a9'
  const guest = (fields: Partial<Printed>) =>
    ({ uid: 'ADA1815', email: 'ada@example.com', category: { name: 'VIP' }, ...fields }) as Printed

  test('gets company, e-mail or uid for a name, like a guest without a name', () => {
    expect(badgeContentOf(guest({ first_name: javanese, company_name: 'Engines' }), null)).toMatchObject({
      name: 'Engines',
      company_name: '',
    })
    expect(badgeContentOf(guest({ first_name: javanese }), null).name).toBe('ada@example.com')
    expect(badgeContentOf(guest({ first_name: javanese, email: null }), null).name).toBe('ADA1815')
  })

  test('keeps a name with some drawable letters', () => {
    expect(badgeContentOf(guest({ first_name: 'Ada', last_name: javanese }), null).name).toBe(`Ada ${javanese}`)
  })

  test('has no boxes for position, company or category', () => {
    const face = badgeContentOf(
      guest({
        first_name: 'Ada',
        position: javanese,
        company_name: javanese,
        category: { name: javanese } as Printed['category'],
      }),
      null,
    )
    expect(face).toMatchObject({ name: 'Ada', position: '', company_name: '', category: '' })
  })
})

describe('the lines on a badge', () => {
  const fields = { ...badgeFields, table: optionalText(), hall: optionalText() }
  const guest = { uid: 'ADA1815', first_name: 'Ada', company_name: 'Engines', category: { name: 'VIP' } }
  const contentOf = (more: object) => badgeContentOf({ ...guest, ...more } as unknown as Printed, null, fields)

  test('are the texts of the declared fields, in their order; position and company have their own places', () => {
    expect(contentOf({ hall: ' North\n', table: 'Table 7', position: 'Poet' })).toMatchObject({
      position: 'Poet',
      company_name: 'Engines',
      lines: ['Table 7', 'North'],
    })
    expect(contentOf({ hall: '\ua997\ua9a9', table: 'Table 7' }).lines).toEqual(['Table 7'])
  })

  test('leave the content as it is, and with it the stored badge, while the guest has no text for them', () => {
    const stored = '{"name":"Ada","company_name":"Engines","position":"","category":"VIP","qr_code":null}'
    for (const none of [{}, { table: null }, { table: ' ' }]) expect(JSON.stringify(contentOf(none))).toBe(stored)
  })
})

test('the QR code on a badge reads as its content and has a quiet zone', () => {
  const content = 'MECARD:UID:ada1815;N:Lovelace,Ada;;'
  const { side, strips } = modulesOf(content)
  const pixels = new Uint8ClampedArray((side * 4) ** 2 * 4).fill(255)
  for (const [column, row, length] of strips) {
    for (let y = row * 4; y < row * 4 + 4; y++) {
      const start = (y * side * 4 + column * 4) * 4
      for (let at = start; at < start + length * 16; at++) pixels[at] = at % 4 === 3 ? 255 : 0
    }
  }
  const read = (jsqr as unknown as typeof jsqr.default)(pixels, side * 4, side * 4)
  expect(read?.data).toBe(content)
  expect(strips.every(([column, row, length]) => column >= 4 && row >= 4 && column + length <= side - 4)).toBe(true)
})

test('a badge is an A6 page with the name as its title', async () => {
  const bytes = await drawBadge(blank)
  const { pages } = await readPdf(bytes)
  expect(pages.map((side) => side.map((points) => Math.round((points * 25.4) / 72)))).toEqual([[105, 148]])
  const source = bytes.toString('latin1')
  const [, title] = /\/Title (\d+) 0 R/.exec(source) ?? []
  expect(source).toContain(`\n${title} 0 obj\n(Ada Lovelace)\n`)
})
