import { errorWords, labelled } from '../form/error-words.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import type { GuestFile, GuestRows, Meaning, ToldRow } from './guest-file.ts'
import type { Choice, OpenFile } from './use-open-file.ts'

/** Rows of the preview. */
const PREVIEW = 5
/** Bad rows that are shown; the file has all. */
export const SHOWN = 100

interface ReviewProps {
  opened: OpenFile
  rows: GuestRows
  meanings: Meaning[]
  setMeanings: (meanings: Meaning[]) => void
  skipsRepeated: boolean
  setSkipsRepeated: (skips: boolean) => void
  start: (digest: string) => void
}

/** What is shown of a file before it is imported. */
export function Review({ opened, rows, meanings, setMeanings, skipsRepeated, setSkipsRepeated, start }: ReviewProps) {
  const { say } = useConsole()
  const { read, reader } = opened
  const { good, odd, repeated } = rows
  return (
    <>
      <Notices read={read} meanings={meanings} />
      <Preview read={read} choices={reader.meanings} meanings={meanings} onChange={setMeanings} />
      {odd.length > 0 && <OddRows odd={odd} />}
      {repeated > 0 && (
        <label class="tick">
          <input
            type="checkbox"
            checked={skipsRepeated}
            onChange={({ currentTarget }) => setSkipsRepeated(currentTarget.checked)}
          />{' '}
          {say('import_skip_repeated', { count: repeated })}
        </label>
      )}
      <div class="buttons">
        <button type="button" disabled={good.length === 0} onClick={() => start(read.digest)}>
          {say('import_start', { count: good.length })}
        </button>
      </div>
    </>
  )
}

/** What is said about a row, after the labels of its fields. */
export function rowWords(say: ConsoleSay, { errors }: ToldRow): string {
  return Object.entries(errors)
    .map(([name, messages]) =>
      name === 'row' ? messages.map((each) => errorWords(say, each)).join(' ') : labelled(say, name, messages),
    )
    .join(' ')
}

export function Selection({
  id,
  label,
  value,
  options,
  disabled = false,
  onChange,
}: {
  id: string
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  disabled?: boolean
  onChange: (value: string) => void
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} disabled={disabled} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

/** The encoding of a text, or the sheet of a workbook that has several, and the choice of another one. */
export function HowRead({ read, onChange }: { read: GuestFile; onChange: (choice: Choice) => void }) {
  const { say } = useConsole()
  const { text, workbook } = read.list
  if (workbook && workbook.sheets.length > 1) {
    const options = workbook.sheets.map((name) => [name, name] as const)
    return (
      <Selection
        id="sheet"
        label={say('import_sheet')}
        value={workbook.sheet}
        options={options}
        onChange={(sheet) => onChange({ sheet })}
      />
    )
  }
  if (!text || !read.encoding) return null
  const { label, choices } = read.encoding
  const options = choices.map(([name, words]) => [name, name === text.encoding ? label : words] as const)
  return (
    <Selection
      id="encoding"
      label={say('import_encoding')}
      value={text.encoding}
      options={options}
      onChange={(encoding) => onChange({ encoding })}
    />
  )
}

/** What is odd about a file, and what no field was found for. */
function Notices({ read, meanings }: { read: GuestFile; meanings: readonly Meaning[] }) {
  const { say } = useConsole()
  const { headers, notices } = read.list
  const unplaced = headers.filter((_, index) => meanings[index] === 'metadata')
  const all = [
    ...notices.map((notice) => errorWords(say, notice)),
    ...(unplaced.length > 0 ? [say('import_unplaced', { names: unplaced.filter(Boolean).join(', ') })] : []),
  ]
  if (all.length === 0) return null
  return (
    <div class="notice">
      <ul class="rows">
        {all.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}

function Preview({
  read,
  choices,
  meanings,
  onChange,
}: {
  read: GuestFile
  choices: readonly Meaning[]
  meanings: Meaning[]
  onChange: (meanings: Meaning[]) => void
}) {
  const { say } = useConsole()
  const { headers, rows } = read.list
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section class="scrolling" aria-label={say('import_preview')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {headers.map((name, index) => (
              <th key={`${index}-${name}`} scope="col">
                {name || index + 1}
                <select
                  aria-label={`${say('import_column')} ${name || index + 1}`}
                  value={meanings[index] ?? 'metadata'}
                  onChange={({ currentTarget }) => onChange(meanings.with(index, currentTarget.value as Meaning))}
                >
                  {choices.map((each) => (
                    <option key={each} value={each}>
                      {meaningWords(say, each)}
                    </option>
                  ))}
                </select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, PREVIEW).map(({ line, cells }) => (
            <tr key={line}>
              {headers.map((name, index) => (
                <td key={`${index}-${name}`}>{cells[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function meaningWords(say: ConsoleSay, meaning: Meaning): string {
  if (meaning === '-') return say('import_leave_out')
  if (meaning === 'metadata') return say('import_metadata')
  if (meaning === 'guest_category_id') return `${say('field_guest_category_id')} (ID)`
  return named(say, 'field', meaning === 'guest_category' ? 'guest_category_id' : meaning)
}

/** Rows that are imported, and should be looked at. */
function OddRows({ odd }: { odd: readonly ToldRow[] }) {
  const { say } = useConsole()
  return (
    <section class="notice">
      <h2>{say('import_odd', { count: odd.length })}</h2>
      <ul class="rows">
        {odd.slice(0, SHOWN).map((row) => (
          <ImportRow key={row.line} line={row.line} cells={row.cells} words={rowWords(say, row)} />
        ))}
      </ul>
    </section>
  )
}

/** A row of the file, and what is said about it. */
export function ImportRow({ line, cells, words }: { line: number; cells: readonly string[]; words: string }) {
  const { say } = useConsole()
  return (
    <li>
      <strong>{say('import_row', { line })}</strong>: {words}{' '}
      <span class="quiet">{cells.filter(Boolean).slice(0, 4).join(', ')}</span>
    </li>
  )
}
