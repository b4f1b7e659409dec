import type { ComponentChildren } from 'preact'
import { errorWords, labelled } from '../../form/error-words.ts'
import type { ConsoleSay } from '../../texts/words.ts'
import { useConsole } from '../../view/console.ts'
import { CSV, saveFile } from '../../view/save-file.ts'
import type { ImportRow, ToldRow } from '../guest-file.ts'
import type { SkippedRow } from '../guest-import.ts'

/** Rows that are shown; the file has all. */
const SHOWN = 100
/** Rows that are in sight at once: more of them scroll, so that what follows is not far below. */
const IN_SIGHT = 5
/** Rows without an e-mail address that are shown, in whose place nothing is to be done at once. */
const SHOWN_WITHOUT = 10

/** A row with its errors after the labels of their fields. */
export function skipped(say: ConsoleSay, { line, cells, errors }: ToldRow): SkippedRow {
  const problems = Object.entries(errors).map(([name, messages]) =>
    name === 'row' ? messages.map((each) => errorWords(say, each)).join(' ') : labelled(say, name, messages),
  )
  return { line, cells, problem: problems.join(' ') }
}

/** Rows that are imported, and should be looked at. */
export function OddRows({ odd }: { odd: readonly ToldRow[] }) {
  const { say } = useConsole()
  return (
    <section class="notice">
      <h2>{say('import_odd', { count: odd.length })}</h2>
      <RowList rows={odd.map((row) => skipped(say, row))} />
    </section>
  )
}

interface BadRowsProps {
  headers: readonly string[]
  bad: readonly SkippedRow[]
  csvOf: (rows: readonly (readonly unknown[])[]) => string
}

/** Rows that cannot be sent, and those that the server has refused. */
export function BadRows({ headers, bad, csvOf }: BadRowsProps) {
  const { say } = useConsole()
  if (bad.length === 0) return null
  const save = (): void => {
    const rows = bad.map(({ line, cells, problem }) => [line, problem, ...cells])
    const text = csvOf([['import_line', 'import_problem', ...headers], ...rows])
    saveFile('guests-not-imported.csv', ['\ufeff', text], CSV)
  }
  return (
    <section class="notice bad">
      <h2>{say('import_bad', { count: bad.length })}</h2>
      <RowList rows={bad} />
      <button type="button" class="second" onClick={save}>
        {say('import_save_bad')}
      </button>
    </section>
  )
}

interface RowsWithoutEmailProps {
  rows: readonly ImportRow[]
  /** What is said of them. */
  children: ComponentChildren
}

/** Rows of guests who have no e-mail address. */
export function RowsWithoutEmail({ rows, children }: RowsWithoutEmailProps) {
  return (
    <div class="notice">
      <p>{children}</p>
      <RowList rows={rows.map(({ line, cells }) => ({ line, cells, problem: '' }))} most={SHOWN_WITHOUT} />
    </div>
  )
}

function RowList({ rows, most = SHOWN }: { rows: readonly SkippedRow[]; most?: number }) {
  const { say } = useConsole()
  const isLong = rows.length > IN_SIGHT
  return (
    <ul class={isLong ? 'rows long' : 'rows'} tabIndex={isLong ? 0 : undefined}>
      {rows.slice(0, most).map(({ line, cells, problem }) => (
        <li key={line}>
          <strong>{say('import_row', { line })}</strong>: {problem}{' '}
          <span class="quiet">{cells.filter(Boolean).slice(0, 4).join(', ')}</span>
        </li>
      ))}
      {rows.length > most && <li class="quiet">{say('import_more', { count: rows.length - most })}</li>}
    </ul>
  )
}
