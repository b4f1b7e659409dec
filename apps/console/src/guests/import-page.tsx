import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { errorWords, fieldErrorWords, labelled } from '../form/error-words.ts'
import type { PlaceProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { asRefusal } from '../server/server.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import { MakeFirst } from '../view/make-first.tsx'
import { useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { CSV, saveFile } from '../view/save-file.ts'
import type { GuestFile, GuestRows, Meaning, ToldRow } from './guest-file.ts'
import { GuestImport, type SkippedRow } from './guest-import.ts'

const CATEGORIES = '/api/v1/events/{event_id}/guest_categories.json'
/** Rows of the preview. */
const PREVIEW = 5
/** Bad rows that are shown; the file has all. */
const SHOWN = 100
const NO_ROWS: GuestRows = { good: [], bad: [], odd: [], repeated: 0 }

/** The code that reads files, and a file that it has read. */
interface OpenFile {
  reader: typeof import('./guest-file.ts')
  file: File
  read: GuestFile
}

/** How a file is read, where somebody chose that. */
interface Choice {
  encoding?: string
  sheet?: string
}

/** Imports guests from a CSV file or a workbook: how it is read, what each column is, a preview, then each row with its error if it has one. */
export function ImportPage({ places }: PlaceProps) {
  const { say, language } = useConsole()
  const event_id = places.event_id ?? ''
  const names = useNames(['guest_category_id', 'accesspoint_ids'], { event_id })
  const [opened, setOpened] = useState<OpenFile>()
  const [problem, setProblem] = useState('')
  const [meanings, setMeanings] = useState<Meaning[]>([])
  const [category, setCategory] = useState('')
  const [skipsRepeated, setSkipsRepeated] = useState(false)
  const [running, setRunning] = useState<GuestImport>()
  const [, setTick] = useState(0)
  const categories = names?.guest_category_id
  useEffect(() => () => running?.stop(), [running])
  useAskBeforeLeaving(running?.isRunning === true)
  const { good, bad, odd, repeated } = useMemo(() => {
    if (!opened || !names?.guest_category_id) return NO_ROWS
    const { guest_category_id: categories, accesspoint_ids: accesspoints = new Map() } = names
    return opened.reader.guestRows(opened.read, meanings, { categories, accesspoints, category, skipsRepeated })
  }, [opened, meanings, names, category, skipsRepeated])
  const open = async (file: File | undefined, choice: Choice = {}): Promise<void> => {
    if (!file) return
    setRunning(undefined)
    setProblem('')
    try {
      const reader = await import('./guest-file.ts')
      const read = await reader.readGuestFile(new Uint8Array(await file.arrayBuffer()), choice, language)
      setOpened({ reader, file, read })
      setMeanings(read.meanings)
    } catch (error) {
      setOpened(undefined)
      setProblem(fileProblem(say, error))
    }
  }
  const start = (digest: string): void => {
    const made = new GuestImport(
      event_id,
      digest,
      good,
      (refusal) => fieldErrorWords(say, refusal),
      () => setTick((before) => before + 1),
    )
    setRunning(made)
    void made.run()
  }
  const head = (
    <div class="head">
      <h1>{say('import_title')}</h1>
      <div class="tools">
        <a class="button second" href={hrefOf('events', event_id, 'guests')}>
          {say('page_guests')}
        </a>
      </div>
    </div>
  )
  if (categories?.size === 0)
    return (
      <>
        {head}
        <MakeFirst paths={[CATEGORIES]} places={places} />
      </>
    )
  const allBad = [...bad.map((row) => skipped(say, row)), ...(running?.bad ?? [])].sort(
    (one, other) => one.line - other.line,
  )
  return (
    <>
      {head}
      <p class="quiet">{say('import_text')}</p>
      <div class="form">
        <div class="field">
          <label for="file">{say('import_file')}</label>
          <input
            id="file"
            type="file"
            accept=".csv,.tsv,.txt,.xlsx,.ods,text/csv"
            disabled={running?.isRunning === true}
            aria-describedby={problem ? 'file-problem' : undefined}
            aria-invalid={problem !== ''}
            onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
          />
          {problem && (
            <p class="problem" id="file-problem" role="alert">
              {problem}
            </p>
          )}
        </div>
        <Selection
          id="category"
          label={say('import_category')}
          value={category}
          options={[['', '–'], ...(categories ?? [])]}
          disabled={running !== undefined}
          onChange={setCategory}
        />
        {opened && !running && <HowRead read={opened.read} onChange={(choice) => void open(opened.file, choice)} />}
      </div>
      {opened && !running && <Notices read={opened.read} meanings={meanings} />}
      {opened && !running && (
        <Preview read={opened.read} choices={opened.reader.meanings} meanings={meanings} onChange={setMeanings} />
      )}
      {opened && !running && odd.length > 0 && <OddRows odd={odd} />}
      {opened && !running && repeated > 0 && (
        <label class="tick">
          <input
            type="checkbox"
            checked={skipsRepeated}
            onChange={({ currentTarget }) => setSkipsRepeated(currentTarget.checked)}
          />{' '}
          {say('import_skip_repeated', { count: repeated })}
        </label>
      )}
      {opened && !running && (
        <div class="buttons">
          <button type="button" disabled={good.length === 0} onClick={() => start(opened.read.digest)}>
            {say('import_start', { count: good.length })}
          </button>
        </div>
      )}
      {running && <Progress running={running} />}
      {opened && allBad.length > 0 && <BadRows opened={opened} bad={allBad} />}
    </>
  )
}

/** Why a file cannot be read. */
function fileProblem(say: ConsoleSay, error: unknown): string {
  const [problem] = (error instanceof Fault && error.errors?.file) || []
  return problem ? errorWords(say, problem) : asRefusal(error).message
}

/** What is said about a row, after the labels of its fields. */
function rowWords(say: ConsoleSay, { errors }: ToldRow): string {
  return Object.entries(errors)
    .map(([name, messages]) =>
      name === 'row' ? messages.map((each) => errorWords(say, each)).join(' ') : labelled(say, name, messages),
    )
    .join(' ')
}

function skipped(say: ConsoleSay, row: ToldRow): SkippedRow {
  return { line: row.line, cells: row.cells, problem: rowWords(say, row) }
}

function Selection({
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
function HowRead({ read, onChange }: { read: GuestFile; onChange: (choice: Choice) => void }) {
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

function Progress({ running }: { running: GuestImport }) {
  const { say } = useConsole()
  const { done, count, imported, there, error, isRunning, isOver } = running
  return (
    <section class="notice">
      <progress max={count} value={done} aria-label={say('import_progress', { done, count })} />
      <output>{isOver ? say('import_done', { count: imported }) : say('import_progress', { done, count })}</output>
      {there > 0 && <output>{say('import_there', { count: there })}</output>}
      {error && <Problem error={error} />}
      {!isOver && (
        <button type="button" class="second" onClick={() => (isRunning ? running.stop() : void running.run())}>
          {say(isRunning ? 'import_stop' : 'import_go_on')}
        </button>
      )}
    </section>
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
          <Row key={row.line} line={row.line} cells={row.cells} words={rowWords(say, row)} />
        ))}
      </ul>
    </section>
  )
}

function BadRows({ opened, bad }: { opened: OpenFile; bad: SkippedRow[] }) {
  const { say } = useConsole()
  const { headers } = opened.read.list
  const save = (): void => {
    const rows = bad.map(({ line, cells, problem }) => [line, problem, ...cells])
    const text = opened.reader.csvOf([['import_line', 'import_problem', ...headers], ...rows])
    saveFile('guests-not-imported.csv', ['\ufeff', text], CSV)
  }
  return (
    <section class="notice bad">
      <h2>{say('import_bad', { count: bad.length })}</h2>
      <ul class="rows">
        {bad.slice(0, SHOWN).map(({ line, cells, problem }) => (
          <Row key={line} line={line} cells={cells} words={problem} />
        ))}
      </ul>
      <button type="button" class="second" onClick={save}>
        {say('import_save_bad')}
      </button>
    </section>
  )
}

function Row({ line, cells, words }: { line: number; cells: readonly string[]; words: string }) {
  const { say } = useConsole()
  return (
    <li>
      <strong>{say('import_row', { line })}</strong>: {words}{' '}
      <span class="quiet">{cells.filter(Boolean).slice(0, 4).join(', ')}</span>
    </li>
  )
}
