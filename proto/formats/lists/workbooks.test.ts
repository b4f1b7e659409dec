import { slow } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'
import { readList } from './list.ts'
import type { ListLimits } from './rows.ts'
import { archiveOf, odsOf, textRow, xlsxOf } from './testing/workbooks.ts'

const limits: ListLimits = { rows: 100, columns: 50, rowCharacters: 1_000, unpackedBytes: 1024 ** 2 }
const isKnown = (header: string): boolean => header === 'Name'
const read = (bytes: Uint8Array, sheet?: string) => readList(bytes, { isKnown, sheet, limits })
const cellsOf = async (bytes: Uint8Array) => (await read(bytes)).rows.map(({ line, cells }) => [line, ...cells])

test('cells of a workbook come out as they show', async () => {
  const rows = `${textRow('Name', 'Value')}
<row r="3"><c r="A3" t="inlineStr"><is><r><t>Zo</t></r><r><t>é</t></r><rPh><t>ゾエ</t></rPh></is></c><c r="B3" s="1"><v>46285</v></c></row>
<row><c t="str"><f>"a"</f><v>a_x000D__x000A_b</v></c><c s="2"><v>123</v></c></row>
<row><c t="str"><v>n</v></c><c><v>500110001234</v></c></row>
<row><c t="str"><v>n</v></c><c><v>0.30000000000000004</v></c></row>
<row><c t="str"><v>n</v></c><c t="b"><v>1</v></c></row>`
  expect(await cellsOf(await xlsxOf({ One: rows }, ['dd/mm/yyyy', '000000']))).toEqual([
    [3, 'Zoé', '20/09/2026'],
    [4, 'a\nb', '000123'],
    [5, 'n', '500110001234'],
    [6, 'n', '0.3'],
    [7, 'n', 'TRUE'],
  ])
})

test('of several sheets the first is read, which is said, or the one that is chosen', async () => {
  const bytes = await xlsxOf({ One: textRow('Name') + textRow('Ada'), Two: textRow('Name') + textRow('Bo') })
  const first = await read(bytes)
  expect(first.workbook).toEqual({ sheet: 'One', sheets: ['One', 'Two'] })
  expect(first.notices).toEqual(['has several sheets (One, Two): One is read'])
  expect((await read(bytes, 'two')).rows[0]?.cells).toEqual(['Bo'])
  await expect(read(bytes, 'Three')).rejects.toThrow('has no sheet Three: it has One, Two')
})

test('an OpenDocument spreadsheet is read with repeated cells and rows, and without comments', async () => {
  const row = (cells: string, times = 1) => `<t:table-row t:number-rows-repeated="${times}">${cells}</t:table-row>`
  const cell = (text: string, rest = '') => `<t:table-cell${rest}><x:p>${text}</x:p></t:table-cell>`
  const body = `<t:table t:name="A">${row(`${cell('Name')}${cell('Code')}<t:table-cell t:number-columns-repeated="16382"/>`)}
${row(`${cell('x<x:s x:c="2"/>y</x:p><x:p>z')}<t:table-cell o:value="500110001234"><o:annotation><x:p>no</x:p></o:annotation><x:p>5.0E+11</x:p></t:table-cell>`, 2)}
${row('<t:table-cell/>', 1_000_000)}</t:table>`
  expect(await cellsOf(await odsOf(body))).toEqual([
    [2, 'x  y\nz', '500110001234'],
    [3, 'x  y\nz', '500110001234'],
  ])
})

test.each([
  ['.xlsb', 'xl/workbook.bin'],
  ['.numbers', 'Index/Document.iwa'],
])('a file of %s is refused with what to do', async (kind, name) => {
  await expect(read(await archiveOf({ [name]: '' }))).rejects.toThrow(
    `The file is a ${kind} file, which cannot be read: save it as .xlsx or CSV`,
  )
})

test.each([
  ['\xd0\xcf\x11\xe0 Workbook', 'is a .xls file, which cannot be read: save it as .xlsx or CSV'],
  [`\xd0\xcf\x11\xe0 ${[...'EncryptedPackage'].join('\0')}\0`, 'is protected by a password'],
  [' <html><table><tr><td>Name', 'is a HTML file, which cannot be read'],
  ['BEGIN:VCARD\nN:Lund;Ada\nEND:VCARD', 'is a vCard file'],
  ['%PDF-1.7', 'is a PDF file, not a list'],
  ['[{"name":"Ada"}]', 'is a JSON file, not a list'],
  ['PK\x03\x04 and no more', 'is damaged'],
  ['\x01\x02\x03'.repeat(100), 'is a binary file, not a list'],
])('%j is no list', async (text, problem) => {
  await expect(read(Buffer.from(text, 'latin1'))).rejects.toThrow(problem)
})

test('a workbook that grows when it is unpacked, in any way, is refused', slow, async () => {
  const large = await xlsxOf({ One: ' '.repeat(2 * 1024 ** 2) })
  expect(large.length).toBeLessThan(10_000)
  await expect(read(large)).rejects.toThrow('is larger than 1 MB when unpacked')
  const rows = `<t:table t:name="A"><t:table-row t:number-rows-repeated="1000000"><t:table-cell><x:p>x</x:p></t:table-cell></t:table-row></t:table>`
  await expect(read(await odsOf(rows))).rejects.toMatchObject({ code: 'too_large' })
  const columns = rows.replace('<t:table-cell>', '<t:table-cell t:number-columns-repeated="1000000">')
  await expect(read(await odsOf(columns))).rejects.toThrow('has more than 50 columns')
  const entities = '<!DOCTYPE x [<!ENTITY a "aa">]><row><c t="str"><v>&a;</v></c></row>'
  await expect(read(await xlsxOf({ One: entities }))).rejects.toThrow('is damaged')
  await expect(read(await xlsxOf({ One: '<a>'.repeat(1_000) }))).rejects.toThrow('is damaged')
})
