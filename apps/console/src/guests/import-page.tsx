import { useEffect, useMemo, useState } from 'preact/hooks'
import { fieldErrorWords } from '../form/error-words.ts'
import type { PlaceProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import { MakeFirst } from '../view/make-first.tsx'
import { useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { saveFile } from '../view/save-file.ts'
import { columns, guessed, type Meaning } from './columns.ts'
import { CSV, csvOf, type ImportFile, readCsv } from './csv.ts'
import { GuestImport } from './guest-import.ts'
import { rowsOf, type SkippedRow } from './import-rows.ts'

const CATEGORIES = '/api/v1/events/{event_id}/guest_categories.json'
/** Rows of the preview. */
const PREVIEW = 5
/** Bad rows which are shown; the file has all. */
const SHOWN = 100

/** Imports guests from a CSV file: what each column is, a preview, then each row with its error if it has one. */
export function ImportPage({ places }: PlaceProps) {
  const { say } = useConsole()
  const event_id = places.event_id ?? ''
  const names = useNames(['guest_category_id'], { event_id })
  const [file, setFile] = useState<ImportFile>()
  const [meanings, setMeanings] = useState<Meaning[]>([])
  const [category, setCategory] = useState('')
  const [running, setRunning] = useState<GuestImport>()
  const [, setTick] = useState(0)
  const categories = names?.guest_category_id
  useEffect(() => () => running?.stop(), [running])
  useAskBeforeLeaving(running?.isRunning === true)
  const { good, bad } = useMemo(
    () => (file && categories ? rowsOf(file, meanings, categories, category, say) : { good: [], bad: [] }),
    [file, meanings, categories, category, say],
  )
  const open = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return
    const found = await readCsv(chosen)
    setFile(found)
    setMeanings(guessed(found.header))
    setRunning(undefined)
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
  const allBad = [...bad, ...(running?.bad ?? [])].sort((one, other) => one.line - other.line)
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
            accept=".csv,text/csv"
            disabled={running?.isRunning === true}
            onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
          />
        </div>
        <div class="field">
          <label for="category">{say('import_category')}</label>
          <select
            id="category"
            value={category}
            disabled={running !== undefined}
            onChange={({ currentTarget }) => setCategory(currentTarget.value)}
          >
            <option value="">–</option>
            {[...(categories ?? [])].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
      {file && !running && <Preview file={file} meanings={meanings} onChange={setMeanings} />}
      {file && !running && (
        <div class="buttons">
          <button type="button" disabled={good.length === 0} onClick={() => start(file.digest)}>
            {say('import_start', { count: good.length })}
          </button>
        </div>
      )}
      {running && <Progress running={running} />}
      {file && allBad.length > 0 && <BadRows header={file.header} bad={allBad} />}
    </>
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
  file,
  meanings,
  onChange,
}: {
  file: ImportFile
  meanings: Meaning[]
  onChange: (meanings: Meaning[]) => void
}) {
  const { say } = useConsole()
  const wordsOf = (meaning: Meaning): string => {
    if (meaning === 'none') return say('import_leave_out')
    if (meaning === 'metadata') return say('import_metadata')
    return named(say, 'field', meaning === 'guest_category' ? 'guest_category_id' : meaning)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section class="scrolling" aria-label={say('import_preview')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {file.header.map((name, index) => (
              <th key={`${index}-${name}`} scope="col">
                {name || index + 1}
                <select
                  aria-label={`${say('import_column')} ${name}`}
                  value={meanings[index] ?? 'metadata'}
                  onChange={({ currentTarget }) => onChange(meanings.with(index, currentTarget.value as Meaning))}
                >
                  {(['none', 'metadata', ...columns] as const).map((each) => (
                    <option key={each} value={each}>
                      {wordsOf(each)}
                    </option>
                  ))}
                </select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {file.rows.slice(0, PREVIEW).map(({ line, cells }) => (
            <tr key={line}>
              {file.header.map((name, index) => (
                <td key={`${index}-${name}`}>{cells[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function BadRows({ header, bad }: { header: string[]; bad: SkippedRow[] }) {
  const { say } = useConsole()
  const save = async (): Promise<void> => {
    const rows = bad.map(({ line, cells, problem }) => [...cells, String(line), problem])
    saveFile('guests-not-imported.csv', [await csvOf([[...header, 'import_line', 'import_problem'], ...rows])], CSV)
  }
  return (
    <section class="notice bad">
      <h2>{say('import_bad', { count: bad.length })}</h2>
      <ul class="rows">
        {bad.slice(0, SHOWN).map(({ line, cells, problem }) => (
          <li key={line}>
            <strong>{say('import_row', { line })}</strong>: {problem}{' '}
            <span class="quiet">{cells.filter(Boolean).slice(0, 4).join(', ')}</span>
          </li>
        ))}
      </ul>
      <button type="button" class="second" onClick={() => void save()}>
        {say('import_save_bad')}
      </button>
    </section>
  )
}
