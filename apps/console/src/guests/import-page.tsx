import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { errorWords, fieldErrorWords } from '../form/error-words.ts'
import { Tick } from '../form/field.tsx'
import type { PageProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { asRefusal, type GatehouseError, read } from '../server/server.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import { useLoaded } from '../view/loaded.ts'
import { MakeFirst } from '../view/make-first.tsx'
import { type NamesOf, useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { type GuestField, useGuestFields } from './guest-fields.ts'
import type { GuestFile, GuestRows, Meaning, Repetition } from './guest-file.ts'
import { GuestImport, lacksEmail } from './guest-import.ts'
import { Changes, MatchChoice, type Matching, ReportButton, useMatching } from './import/changes.tsx'
import { ColumnPreview } from './import/column-preview.tsx'
import { type Choice, HowRead, PASTED, Selection, Source } from './import/source.tsx'
import { BadRows, OddRows, RowsWithoutEmail, skipped } from './import/told-rows.tsx'
import { withoutEmailHref } from './without-email.ts'

const CATEGORIES = '/api/v1/events/{event_id}/guest_categories.json'
const GUESTS = '/api/v1/events/{event_id}/guests.json'
const NO_ROWS: GuestRows = { good: [], bad: [], odd: [], repeated: { same: 0, similar: 0 }, withoutCategory: 0 }
const REPETITIONS: readonly Repetition[] = ['same', 'similar']

/** A file that was read, and the code that reads files. */
interface OpenFile {
  reader: typeof import('./guest-file.ts')
  file: File
  /** Whether the list is a file of its own, and was not pasted. */
  isFile: boolean
  read: GuestFile
  /** What each column is. */
  meanings: Meaning[]
}

/** Imports guests from a file or from rows that are pasted: how it is read, what each column is, a preview, then each row with its error if it has one. */
export function ImportPage({ params }: PageProps) {
  const { say } = useConsole()
  const event_id = params.event_id ?? ''
  const names = useNames(['guest_category_id', 'accesspoint_ids'], { event_id })
  const guestFields = useGuestFields(event_id)
  return (
    <>
      <div class="head">
        <h1>{say('import_title')}</h1>
      </div>
      {names?.guest_category_id?.size === 0 ? (
        <MakeFirst paths={[CATEGORIES]} params={params} />
      ) : (
        guestFields && <Import {...{ event_id, names, guestFields }} />
      )}
    </>
  )
}

interface ImportProps {
  event_id: string
  names: NamesOf | undefined
  guestFields: readonly GuestField[]
}

function Import({ event_id, names, guestFields }: ImportProps) {
  const { say } = useConsole()
  const [category, setCategory] = useState('')
  const [skips, setSkips] = useState({ same: true, similar: false })
  const matching = useMatching(event_id)
  const there = useLoaded((signal) => read<unknown[]>(GUESTS, { event_id }, { per_page: 1 }, signal), [event_id])
  const context = { category, skips, matching, guestFields }
  const { opened, setOpened, problem, open, rows } = useGuestFile(names, context)
  // Whether guests are there is to be asked where that is not known.
  const mayMatch = there.error !== undefined || there.value?.length === 1
  const [running, setRunning] = useState<GuestImport>()
  const [, setTick] = useState(0)
  const isRunning = running?.isRunning === true
  useEffect(() => () => running?.stop(), [running])
  useAskBeforeLeaving(isRunning)
  const reopen = (file: File, choice?: Choice): void => {
    // Who was imported is there now.
    if (running) there.reload()
    if (running && matching.by !== '') matching.reload()
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
  const repetitions = REPETITIONS.filter((each) => rows.repeated[each] > 0)
  // Those whom nothing changes are not sent.
  const sent = rows.good.filter(({ change }) => change?.fields.length !== 0).length
  const withoutEmail = rows.good.filter(lacksEmail)
  const bad = [...rows.bad.map((row) => skipped(say, row)), ...(running?.bad ?? [])].sort(
    (one, other) => one.line - other.line,
  )
  const badRows = opened && <BadRows headers={opened.read.list.headers} bad={bad} csvOf={opened.reader.csvOf} />
  return (
    <>
      {!opened && <p class="quiet">{say('import_text')}</p>}
      <div class="form">
        <Source problem={problem} disabled={isRunning} open={reopen} />
        {rows.withoutCategory > 0 && (
          <Selection
            id="category"
            label={say('import_category', { count: rows.withoutCategory })}
            value={category}
            options={[['', say('choose')], ...(names?.guest_category_id ?? [])]}
            disabled={running !== undefined}
            onChange={setCategory}
          />
        )}
        {mayMatch && <MatchChoice matching={matching} disabled={running !== undefined} />}
        {isOpen && opened.isFile && <HowRead read={opened.read} onChange={(choice) => reopen(opened.file, choice)} />}
      </div>
      {isOpen && (
        <>
          <Recognized opened={opened} />
          {badRows}
          {rows.odd.length > 0 && <OddRows odd={rows.odd} />}
          {withoutEmail.length > 0 && (
            <RowsWithoutEmail rows={withoutEmail}>
              {say('import_without_email', { count: withoutEmail.length })}
            </RowsWithoutEmail>
          )}
          {repetitions.map((each) => (
            <Tick
              key={each}
              words={say(`import_skip_${each}`, { count: rows.repeated[each] })}
              isOn={skips[each]}
              onTurn={(isOn) => setSkips({ ...skips, [each]: isOn })}
            />
          ))}
          {repetitions.length > 0 && <p class="hint">{say('import_skip_not')}</p>}
          <Notices opened={opened} />
          <Preview
            opened={opened}
            told={rows}
            guestFields={guestFields}
            onChange={(meanings) => setOpened({ ...opened, meanings })}
          />
          {matching.existing && <Changes rows={rows} names={names} csvOf={opened.reader.csvOf} />}
          <div class="buttons">
            <button type="button" disabled={sent === 0} onClick={() => start(opened.read.digest)}>
              {say('import_start', { count: sent })}
            </button>
          </div>
        </>
      )}
      {running && (
        <>
          <Progress event_id={event_id} running={running} />
          {badRows}
        </>
      )}
      {opened && running && !isRunning && (
        <div class="buttons">
          <a class="button" href={hrefOf('events', event_id, 'guests')}>
            {say('import_show_guests')}
          </a>
          <ReportButton running={running} bad={bad} csvOf={opened.reader.csvOf} />
        </div>
      )}
    </>
  )
}

interface Context {
  category: string
  skips: Record<Repetition, boolean>
  matching: Matching
  guestFields: readonly GuestField[]
}

/** A file that is read in the browser with its rows, or why it cannot be read. */
function useGuestFile(names: NamesOf | undefined, { category, skips, matching, guestFields }: Context) {
  const { say, language } = useConsole()
  const [opened, setOpened] = useState<OpenFile>()
  const [problem, setProblem] = useState('')
  const open = async (file: File, choice: Choice = {}): Promise<void> => {
    setProblem('')
    try {
      const reader = await import('./guest-file.ts')
      const bytes = new Uint8Array(await file.arrayBuffer())
      const read = await reader.readGuestFile(bytes, choice, language, guestFields)
      setOpened({ reader, file, isFile: choice !== PASTED, read, meanings: read.meanings })
    } catch (error) {
      setOpened(undefined)
      setProblem(fileProblem(say, error))
    }
  }
  const rows = useMemo(() => {
    if (!opened || !names?.guest_category_id || (matching.by !== '' && !matching.existing)) return NO_ROWS
    const { guest_category_id: categories, accesspoint_ids: accesspoints = new Map() } = names
    const known = { categories, accesspoints, category, skips, existing: matching.existing }
    return opened.reader.guestRows(opened.read, opened.meanings, known)
  }, [opened, names, category, skips, matching.existing, matching.by])
  return { opened, setOpened, problem, open, rows }
}

/** Why a file cannot be read. */
function fileProblem(say: ConsoleSay, error: unknown): string {
  const [problem] = (error instanceof Fault && error.errors?.file) || []
  return problem ? errorWords(say, problem) : asRefusal(error).message
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

/** How many columns the preview knows, of which some are out of sight. */
function Recognized({ opened: { read, meanings } }: { opened: OpenFile }) {
  const { say } = useConsole()
  const { length } = read.list.headers
  const unknown = read.list.headers.filter((_, index) => (meanings[index] ?? 'metadata') === 'metadata').length
  return <p>{say('import_recognized', { count: length - unknown, all: length })}</p>
}

function Progress({ event_id, running }: { event_id: string; running: GuestImport }) {
  const { say } = useConsole()
  const { done, count, counts, withoutEmail, error, isRunning, isOver } = running
  const { added, changed, same, there } = counts
  return (
    <section class="notice">
      <progress max={count} value={done} aria-label={say('import_progress', { done, count })} />
      <output>{isOver ? say('import_done', { count: added }) : say('import_progress', { done, count })}</output>
      {changed > 0 && <output>{say('import_changed', { count: changed })}</output>}
      {same > 0 && <output>{say('import_same', { count: same })}</output>}
      {there > 0 && <output>{say('import_there', { count: there })}</output>}
      {isOver && withoutEmail.length > 0 && (
        <RowsWithoutEmail rows={withoutEmail}>
          <a href={withoutEmailHref(event_id)}>{say('import_without_email', { count: withoutEmail.length })}</a>
        </RowsWithoutEmail>
      )}
      {error && <Problem error={error} />}
      {!isOver && (
        <button type="button" class="second" onClick={() => (isRunning ? running.stop() : void running.run())}>
          {say(isRunning ? 'import_stop' : 'import_go_on')}
        </button>
      )}
    </section>
  )
}

interface PreviewProps {
  opened: OpenFile
  told: Pick<GuestRows, 'bad' | 'odd'>
  guestFields: readonly GuestField[]
  onChange: (meanings: Meaning[]) => void
}

function Preview({ opened, told, guestFields, onChange }: PreviewProps) {
  const { say } = useConsole()
  const { reader, read, meanings } = opened
  const { headers, rows } = read.list
  const choices = reader
    .meaningsWith(guestFields)
    .map((each) => [each, reader.fieldMeant(each, guestFields)?.label ?? meaningWords(say, each)] as const)
  return (
    <ColumnPreview
      headers={headers}
      rows={rows}
      bad={told.bad}
      odd={told.odd}
      meanings={headers.map((_, index) => meanings[index] ?? 'metadata')}
      choices={choices}
      onChange={(index, meaning) => onChange(meanings.with(index, meaning as Meaning))}
    />
  )
}

function meaningWords(say: ConsoleSay, meaning: Meaning): string {
  if (meaning === '-') return say('import_leave_out')
  if (meaning === 'metadata') return say('import_metadata')
  if (meaning === 'guest_category_id') return `${say('field_guest_category_id')} (ID)`
  return named(say, 'field', meaning === 'guest_category' ? 'guest_category_id' : meaning)
}
