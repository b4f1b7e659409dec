import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { errorWords, fieldErrorWords, labelled } from '../form/error-words.ts'
import { Tick } from '../form/field.tsx'
import type { PageProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import { MakeFirst } from '../view/make-first.tsx'
import { type NamesOf, useNames } from '../view/names.ts'
import { Options } from '../view/options.tsx'
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

/** A file that was read, and the code that reads files. */
interface OpenFile {
  reader: typeof import('./guest-file.ts')
  file: File
  read: GuestFile
  /** What each column is. */
  meanings: Meaning[]
}

/** How a file is read, where somebody chose that. */
interface Choice {
  encoding?: string
  sheet?: string
}

/** Imports guests from a CSV file or a workbook: how it is read, what each column is, a preview, then each row with its error if it has one. */
export function ImportPage({ params }: PageProps) {
  const { say } = useConsole()
  const event_id = params.event_id ?? ''
  const names = useNames(['guest_category_id', 'accesspoint_ids'], { event_id })
  return (
    <>
      <div class="head">
        <h1>{say('import_title')}</h1>
        <div class="tools">
          <a class="button second" href={hrefOf('events', event_id, 'guests')}>
            {say('page_guests')}
          </a>
        </div>
      </div>
      {names?.guest_category_id?.size === 0 ? (
        <MakeFirst paths={[CATEGORIES]} params={params} />
      ) : (
        <Import event_id={event_id} names={names} />
      )}
    </>
  )
}

function Import({ event_id, names }: { event_id: string; names: NamesOf | undefined }) {
  const { say } = useConsole()
  const [category, setCategory] = useState('')
  const [skipsRepeated, setSkipsRepeated] = useState(false)
  const { opened, setOpened, problem, open, rows } = useGuestFile(names, category, skipsRepeated)
  const [running, setRunning] = useState<GuestImport>()
  const [, setTick] = useState(0)
  const isRunning = running?.isRunning === true
  useEffect(() => () => running?.stop(), [running])
  useAskBeforeLeaving(isRunning)
  const reopen = (file: File, choice?: Choice): void => {
    setRunning(undefined)
    void open(file, choice)
  }
  const start = (digest: string): void => {
    const wordsOf = (refusal: GatehouseError): string => fieldErrorWords(say, refusal)
    const started = new GuestImport(event_id, digest, rows.good, wordsOf, () => setTick((before) => before + 1))
    setRunning(started)
    void started.run()
  }
  const isOpen = opened && !running
  return (
    <>
      <p class="quiet">{say('import_text')}</p>
      <div class="form">
        <FileField problem={problem} disabled={isRunning} open={reopen} />
        <Selection
          id="category"
          label={say('import_category')}
          value={category}
          options={[['', '–'], ...(names?.guest_category_id ?? [])]}
          disabled={running !== undefined}
          onChange={setCategory}
        />
        {isOpen && <HowRead read={opened.read} onChange={(choice) => reopen(opened.file, choice)} />}
      </div>
      {isOpen && (
        <>
          <Notices opened={opened} />
          <Preview opened={opened} onChange={(meanings) => setOpened({ ...opened, meanings })} />
          {rows.odd.length > 0 && <OddRows odd={rows.odd} />}
          {rows.repeated > 0 && (
            <Tick
              words={say('import_skip_repeated', { count: rows.repeated })}
              isOn={skipsRepeated}
              onTurn={setSkipsRepeated}
            />
          )}
          <div class="buttons">
            <button type="button" disabled={rows.good.length === 0} onClick={() => start(opened.read.digest)}>
              {say('import_start', { count: rows.good.length })}
            </button>
          </div>
        </>
      )}
      {running && <Progress running={running} />}
      {opened && <BadRows opened={opened} unread={rows.bad} refused={running?.bad ?? []} />}
    </>
  )
}

/** A file that is read in the browser with its rows, or why it cannot be read. */
function useGuestFile(names: NamesOf | undefined, category: string, skipsRepeated: boolean) {
  const { say, language } = useConsole()
  const [opened, setOpened] = useState<OpenFile>()
  const [problem, setProblem] = useState('')
  const open = async (file: File, choice: Choice = {}): Promise<void> => {
    setProblem('')
    try {
      const reader = await import('./guest-file.ts')
      const read = await reader.readGuestFile(new Uint8Array(await file.arrayBuffer()), choice, language)
      setOpened({ reader, file, read, meanings: read.meanings })
    } catch (error) {
      setOpened(undefined)
      setProblem(fileProblem(say, error))
    }
  }
  const rows = useMemo(() => {
    if (!opened || !names?.guest_category_id) return NO_ROWS
    const { guest_category_id: categories, accesspoint_ids: accesspoints = new Map() } = names
    const known = { categories, accesspoints, category, skipsRepeated }
    return opened.reader.guestRows(opened.read, opened.meanings, known)
  }, [opened, names, category, skipsRepeated])
  return { opened, setOpened, problem, open, rows }
}

function FileField({ problem, disabled, open }: { problem: string; disabled: boolean; open: (file: File) => void }) {
  const { say } = useConsole()
  return (
    <div class="field">
      <label for="file">{say('import_file')}</label>
      <input
        id="file"
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,.ods,text/csv"
        disabled={disabled}
        aria-describedby={problem ? 'file-problem' : undefined}
        aria-invalid={problem !== ''}
        onChange={({ currentTarget: { files } }) => files?.[0] && open(files[0])}
      />
      {problem && (
        <p class="problem" id="file-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Why a file cannot be read. */
function fileProblem(say: ConsoleSay, error: unknown): string {
  const [problem] = (error instanceof Fault && error.errors?.file) || []
  return problem ? errorWords(say, problem) : asRefusal(error).message
}

/** A row with its errors after the labels of their fields. */
function skipped(say: ConsoleSay, { line, cells, errors }: ToldRow): SkippedRow {
  const problems = Object.entries(errors).map(([name, messages]) =>
    name === 'row' ? messages.map((each) => errorWords(say, each)).join(' ') : labelled(say, name, messages),
  )
  return { line, cells, problem: problems.join(' ') }
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
        <Options choices={options} />
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
function Notices({ opened: { read, meanings } }: { opened: OpenFile }) {
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

function Preview({ opened, onChange }: { opened: OpenFile; onChange: (meanings: Meaning[]) => void }) {
  const { say } = useConsole()
  const { reader, read, meanings } = opened
  const { headers, rows } = read.list
  const choices = reader.meanings.map((each) => [each, meaningWords(say, each)] as const)
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
                  <Options choices={choices} />
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
      <RowList rows={odd.map((row) => skipped(say, row))} />
    </section>
  )
}

interface BadRowsProps {
  opened: OpenFile
  /** Rows that cannot be sent. */
  unread: ToldRow[]
  /** Rows that the server has refused. */
  refused: SkippedRow[]
}

function BadRows({ opened, unread, refused }: BadRowsProps) {
  const { say } = useConsole()
  const bad = [...unread.map((row) => skipped(say, row)), ...refused].sort((one, other) => one.line - other.line)
  if (bad.length === 0) return null
  const { headers } = opened.read.list
  const save = (): void => {
    const rows = bad.map(({ line, cells, problem }) => [line, problem, ...cells])
    const text = opened.reader.csvOf([['import_line', 'import_problem', ...headers], ...rows])
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

function RowList({ rows }: { rows: readonly SkippedRow[] }) {
  const { say } = useConsole()
  return (
    <ul class="rows">
      {rows.slice(0, SHOWN).map(({ line, cells, problem }) => (
        <li key={line}>
          <strong>{say('import_row', { line })}</strong>: {problem}{' '}
          <span class="quiet">{cells.filter(Boolean).slice(0, 4).join(', ')}</span>
        </li>
      ))}
    </ul>
  )
}
