import { useEffect, useMemo, useState } from 'preact/hooks'
import { fieldErrorWords } from '../form/error-words.ts'
import type { PlaceProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { useConsole } from '../view/console.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import { MakeFirst } from '../view/make-first.tsx'
import { useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { CSV, saveFile } from '../view/save-file.ts'
import type { GuestRows } from './guest-file.ts'
import { GuestImport, type SkippedRow } from './guest-import.ts'
import { HowRead, ImportRow, Review, rowWords, Selection, SHOWN } from './import-review.tsx'
import { type OpenFile, useOpenFile } from './use-open-file.ts'

const CATEGORIES = '/api/v1/events/{event_id}/guest_categories.json'
const NO_ROWS: GuestRows = { good: [], bad: [], odd: [], repeated: 0 }

/** Imports guests from a CSV file or a workbook: how it is read, what each column is, a preview, then each row with its error if it has one. */
export function ImportPage({ places }: PlaceProps) {
  const { say } = useConsole()
  const event_id = places.event_id ?? ''
  const names = useNames(['guest_category_id', 'accesspoint_ids'], { event_id })
  const [category, setCategory] = useState('')
  const [skipsRepeated, setSkipsRepeated] = useState(false)
  const [running, setRunning] = useState<GuestImport>()
  const [, setTick] = useState(0)
  const { opened, problem, meanings, setMeanings, open } = useOpenFile()
  const categories = names?.guest_category_id
  useEffect(() => () => running?.stop(), [running])
  useAskBeforeLeaving(running?.isRunning === true)
  const rows = useMemo(() => {
    if (!opened || !names?.guest_category_id) return NO_ROWS
    const { guest_category_id: categories, accesspoint_ids: accesspoints = new Map() } = names
    return opened.reader.guestRows(opened.read, meanings, { categories, accesspoints, category, skipsRepeated })
  }, [opened, meanings, names, category, skipsRepeated])
  const start = (digest: string): void => {
    const tick = (): void => setTick((before) => before + 1)
    const made = new GuestImport(event_id, digest, rows.good, (refusal) => fieldErrorWords(say, refusal), tick)
    setRunning(made)
    void made.run()
  }
  if (categories?.size === 0)
    return (
      <>
        <Head event_id={event_id} />
        <MakeFirst paths={[CATEGORIES]} places={places} />
      </>
    )
  const refused = rows.bad.map((row) => ({ line: row.line, cells: row.cells, problem: rowWords(say, row) }))
  const bad = [...refused, ...(running?.bad ?? [])].sort((one, other) => one.line - other.line)
  const openAnother = (file: File | undefined): void => {
    if (file) setRunning(undefined)
    void open(file)
  }
  return (
    <>
      <Head event_id={event_id} />
      <p class="quiet">{say('import_text')}</p>
      <div class="form">
        <FileField problem={problem} disabled={running?.isRunning === true} onChange={openAnother} />
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
      {opened && !running && (
        <Review opened={opened} rows={rows} {...{ meanings, setMeanings, skipsRepeated, setSkipsRepeated, start }} />
      )}
      {running && <Progress running={running} />}
      {opened && bad.length > 0 && <BadRows opened={opened} bad={bad} />}
    </>
  )
}

function Head({ event_id }: { event_id: string }) {
  const { say } = useConsole()
  return (
    <div class="head">
      <h1>{say('import_title')}</h1>
      <div class="tools">
        <a class="button second" href={hrefOf('events', event_id, 'guests')}>
          {say('page_guests')}
        </a>
      </div>
    </div>
  )
}

function FileField({
  problem,
  disabled,
  onChange,
}: {
  problem: string
  disabled: boolean
  onChange: (file: File | undefined) => void
}) {
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
        onChange={({ currentTarget }) => onChange(currentTarget.files?.[0])}
      />
      {problem && (
        <p class="problem" id="file-problem" role="alert">
          {problem}
        </p>
      )}
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
          <ImportRow key={line} line={line} cells={cells} words={problem} />
        ))}
      </ul>
      <button type="button" class="second" onClick={save}>
        {say('import_save_bad')}
      </button>
    </section>
  )
}
