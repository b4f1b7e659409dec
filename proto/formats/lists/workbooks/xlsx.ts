import { type FormatOptions, format, getFormatFromId, isDateFormat } from 'numfmt'
import type { ListSettings } from '../settings.ts'
import type { Archive } from './archive.ts'
import { chosenOf, type Sheet, SheetRows } from './sheets.ts'

/** What shows a date or time in the way of the reader's country: here as everywhere. */
const NEUTRAL: Record<number, string> = { 14: 'yyyy-mm-dd', 22: 'yyyy-mm-dd hh:mm' }
/** Digits that a spreadsheet keeps of a number. */
const EXACT = 1e15
/** Days by which workbooks of old Macs count from later. */
const DAYS_OF_1904 = 1462
const OPTIONS: Partial<FormatOptions> = { throws: false, overflow: '' }

interface SheetPlace {
  name: string
  id: string
  isHidden: boolean
}

interface Styles {
  /** The format of numbers of each style of cells. */
  formats: string[]
  isFrom1904: boolean
}

/** Reads a sheet of a workbook of Excel: each cell as it shows. */
export async function readXlsx(archive: Archive, { sheet: wanted, limits }: ListSettings): Promise<Sheet> {
  const { sheets, isFrom1904 } = await sheetsOf(archive)
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  const chosen = chosenOf(wanted === undefined && visible.length > 0 ? visible : sheets, wanted)
  const paths = await pathsOf(archive)
  const texts = await sharedTexts(archive)
  const styles = { formats: await formatsOf(archive), isFrom1904 }
  const rows = new SheetRows(limits)
  await readCells(archive, paths.get(chosen.id) ?? '', texts, styles, rows)
  return { name: chosen.name, names: visible.map(({ name }) => name), rows: rows.rows }
}

async function sheetsOf(archive: Archive): Promise<{ sheets: SheetPlace[]; isFrom1904: boolean }> {
  const sheets: SheetPlace[] = []
  let isFrom1904 = false
  await archive.read('xl/workbook.xml', {
    open(name, attribute) {
      if (name === 'workbookPr') isFrom1904 = isTrue(attribute('date1904'))
      if (name !== 'sheet') return
      const state = attribute('state')
      const isHidden = state === 'hidden' || state === 'veryHidden'
      sheets.push({ name: attribute('name') ?? '', id: attribute('id') ?? '', isHidden })
    },
  })
  return { sheets, isFrom1904 }
}

/** The files of the sheets by their ids. */
async function pathsOf(archive: Archive): Promise<Map<string, string>> {
  const paths = new Map<string, string>()
  await archive.read('xl/_rels/workbook.xml.rels', {
    open(name, attribute) {
      const target = attribute('Target')
      if (name !== 'Relationship' || target === undefined) return
      paths.set(attribute('Id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`)
    },
  })
  return paths
}

async function sharedTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  let isText = false
  let isPhonetic = false
  await archive.read('xl/sharedStrings.xml', {
    open(name) {
      if (name === 'si') text = ''
      isText = name === 't'
      if (name === 'rPh') isPhonetic = true
    },
    text(part) {
      if (isText && !isPhonetic) text += part
    },
    close(name) {
      if (name === 't') isText = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') texts.push(unescaped(text))
    },
  })
  return texts
}

async function formatsOf(archive: Archive): Promise<string[]> {
  const own = new Map<number, string>()
  const formats: string[] = []
  let isOfCells = false
  await archive.read('xl/styles.xml', {
    open(name, attribute) {
      const id = Number(attribute('numFmtId') ?? 0)
      if (name === 'numFmt') own.set(id, attribute('formatCode') ?? '')
      if (name === 'cellXfs') isOfCells = true
      if (name === 'xf' && isOfCells) formats.push(own.get(id) ?? NEUTRAL[id] ?? builtIn(id))
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return formats
}

function builtIn(id: number): string {
  try {
    return getFormatFromId(id) || 'General'
  } catch {
    return 'General'
  }
}

async function readCells(
  archive: Archive,
  path: string,
  texts: readonly string[],
  styles: Styles,
  rows: SheetRows,
): Promise<void> {
  let line = 0
  let column = -1
  let type = ''
  let style = 0
  let value = ''
  let isValue = false
  let isPhonetic = false
  await archive.read(path, {
    open(name, attribute) {
      if (name === 'row') {
        line = Number(attribute('r')) || line + 1
        column = -1
      } else if (name === 'c') {
        column = columnOf(attribute('r')) ?? column + 1
        type = attribute('t') ?? 'n'
        style = Number(attribute('s') ?? 0)
        value = ''
      } else if (name === 'rPh') isPhonetic = true
      else isValue = (name === 'v' || name === 't') && !isPhonetic
    },
    text(part) {
      if (isValue) value += part
    },
    close(name) {
      isValue = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'row') rows.end(line)
      if (name !== 'c' || value === '') return
      if (type === 's') rows.set(column, texts[Number(value)] ?? '')
      else if (type === 'n') rows.set(column, shown(value, styles, style))
      else if (type === 'b') rows.set(column, isTrue(value) ? 'TRUE' : 'FALSE')
      else rows.set(column, unescaped(value))
    },
  })
}

/** The column of a reference such as `AB12`, from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** A number as its cell shows it. One without a format has all of its digits, however narrow its column is. */
function shown(value: string, { formats, isFrom1904 }: Styles, style: number): string {
  const pattern = formats[style] ?? 'General'
  const number = Number(value)
  if (value.trim() === '' || Number.isNaN(number)) return value
  if (pattern === 'General' || pattern === '@') {
    return Number.isInteger(number) && Math.abs(number) < EXACT ? String(number) : general(value, number)
  }
  const text = format(pattern, isFrom1904 && isDateFormat(pattern) ? number + DAYS_OF_1904 : number, OPTIONS)
  return text === '' || text.startsWith('#') ? general(value, number) : text
}

/** Digits of more than a spreadsheet keeps stay as the file has them. */
function general(value: string, number: number): string {
  return Math.abs(number) >= EXACT ? value.trim() : String(Number(number.toPrecision(15)))
}

/** Excel's own escapes: `_x000D_` is a line end. */
function unescaped(text: string): string {
  return text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?/g, '\n')
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}
