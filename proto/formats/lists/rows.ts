import { Fault } from '../../declaring/faults.ts'
import { type Message, messageOf } from '../../declaring/messages.ts'
import { visible } from '../../declaring/visible.ts'
import { unescapeFormula } from './formulas.ts'

/** A row of a list: the line where it starts, from 1, and its cells, without what nobody sees and in Unicode's composed form. */
export interface ListRow {
  line: number
  cells: string[]
}

/** Limits for strangers' files. */
export interface ListLimits {
  /** Rows below the header; a file with more is `too_large` (413). */
  rows: number
  /** Cells of a row. */
  columns: number
  /** Characters of a row. */
  rowCharacters: number
  /** Bytes that a workbook may have when it is unpacked. */
  unpackedBytes: number
}

/** The fault of a file as a whole. */
export function refusedFile(problem: Message): Fault {
  return new Fault('invalid', `The file ${problem}`, { file: [problem] })
}

/** A cell as it is read, whatever the file. */
export function cellOf(text: string): string {
  return unescapeFormula(visible(text)).normalize()
}

/** A row of these cells; undefined if all are empty. */
export function rowOf(line: number, texts: readonly string[], limits: ListLimits | undefined): ListRow | undefined {
  if (limits && texts.length > limits.columns) {
    throw refusedFile(messageOf('too_many_columns', { limit: limits.columns, line }))
  }
  const cells = texts.map(cellOf)
  return cells.every((cell) => cell === '') ? undefined : { line, cells }
}

const LF = 10
const CR = 13
const QUOTE = 34

/**
 * Reads rows of text that comes in pieces, in one pass. Lines end by CR, LF or both, mixed as they come. A quote opens a cell also after blanks; a
 * stray quote within a quoted cell of one line stays as it is. In one of several lines it shows that the opening quote was never closed: the
 * error names the line of that one, and no row is swallowed.
 *
 * csv-parse and Papa Parse would leave these rules to us, and limits that hold while a row is read, and both need the parser's state.
 */
export class RowParser {
  readonly #delimiter: number
  readonly #limits: ListLimits | undefined
  #cells: string[] = []
  /** Parts of the cell so far. */
  #cell = ''
  #state: 'start' | 'plain' | 'quoted' | 'quote' = 'start'
  #line = 1
  #rowLine = 1
  /** Where the last quote was opened. */
  #quoteLine = 1
  /** Whether the quoted cell has a stray quote. */
  #hasStray = false
  #characters = 0
  #endedByCr = false
  #rows: ListRow[] = []

  constructor(delimiter: string, limits?: ListLimits) {
    this.#delimiter = delimiter.charCodeAt(0)
    this.#limits = limits
  }

  /** The rows that end in this piece. */
  push(text: string): ListRow[] {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const isLfOfCr = code === LF && this.#endedByCr
      this.#endedByCr = code === CR
      if (isLfOfCr) {
        from = at + 1
        continue
      }
      if (!this.#isSpecial(code)) {
        if (this.#state === 'quote') this.#straysAt(text[at] as string)
        else if (this.#state === 'start' && visible(text[at] as string) !== '') this.#state = 'plain'
        continue
      }
      this.#take(text.slice(from, at))
      from = at + 1
      this.#special(code)
    }
    this.#take(text.slice(from))
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  /** The last row, if the text does not end with a line end. */
  end(): ListRow[] {
    if (this.#state === 'quoted') this.#refuseQuote()
    this.#endRow()
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  #isSpecial(code: number): boolean {
    return code === QUOTE || code === this.#delimiter || code === LF || code === CR
  }

  #special(code: number): void {
    if (code === QUOTE) this.#quote()
    else if (this.#state === 'quoted') {
      this.#take(code === CR ? '\n' : String.fromCharCode(code))
      if (code === this.#delimiter) return
      if (this.#hasStray) this.#refuseQuote()
      this.#line++
    } else if (code === this.#delimiter) this.#endCell()
    else {
      this.#endRow()
      this.#rowLine = ++this.#line
    }
  }

  #quote(): void {
    if (this.#state === 'start') {
      this.#state = 'quoted'
      this.#quoteLine = this.#line
      this.#hasStray = false
      this.#cell = ''
    } else if (this.#state === 'quoted') this.#state = 'quote'
    else {
      this.#take('"')
      if (this.#state === 'quote') this.#state = 'quoted'
    }
  }

  /** A character after what looked like the closing quote: a blank may follow it; else it was a stray one. */
  #straysAt(sign: string): void {
    if (visible(sign) === '') return
    if (this.#line > this.#quoteLine) this.#refuseQuote()
    this.#take('"')
    this.#hasStray = true
    this.#state = 'quoted'
  }

  #refuseQuote(): never {
    throw refusedFile(messageOf('unclosed_quote', { line: this.#quoteLine }))
  }

  #take(text: string): void {
    if (text === '') return
    this.#characters += text.length
    const limit = this.#limits?.rowCharacters
    if (limit !== undefined && this.#characters > limit) {
      throw refusedFile(messageOf('row_too_long', { limit, line: this.#rowLine }))
    }
    this.#cell += text
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#state = 'start'
    const { columns } = this.#limits ?? {}
    if (columns !== undefined && this.#cells.length > columns) {
      throw refusedFile(messageOf('too_many_columns', { limit: columns, line: this.#rowLine }))
    }
  }

  #endRow(): void {
    this.#endCell()
    const row = rowOf(this.#rowLine, this.#cells, this.#limits)
    if (row) this.#rows.push(row)
    this.#cells = []
    this.#characters = 0
  }
}
