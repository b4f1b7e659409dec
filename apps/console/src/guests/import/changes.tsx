import { useEffect, useState } from 'preact/hooks'
import { asRefusal, type GatehouseError } from '../../server/server.ts'
import { type ConsoleSay, named } from '../../texts/words.ts'
import { useConsole } from '../../view/console.ts'
import type { NamesOf } from '../../view/names.ts'
import { Problem } from '../../view/problem.tsx'
import { CSV, saveFile } from '../../view/save-file.ts'
import type { GuestRows, ImportRow } from '../guest-file.ts'
import type { GuestImport, SkippedRow } from '../guest-import.ts'
import { ExistingGuests, type FieldChange, type GuestChange, type MatchBy } from './existing.ts'
import { Selection } from './source.tsx'

/** Guests that are shown; the file has all. */
const SHOWN = 100

/** The guests who are there, where rows may be about them. */
export interface Matching {
  by: MatchBy
  choose: (by: MatchBy) => void
  existing: ExistingGuests | undefined
  /** How many were read so far, until all are there. */
  reading: number | undefined
  error: GatehouseError | undefined
  /** Reads them again. */
  reload: () => void
}

/** Reads the guests of an event as soon as somebody says by what rows are about them. */
export function useMatching(event_id: string): Matching {
  const [by, choose] = useState<MatchBy>('')
  const [existing, setExisting] = useState<ExistingGuests>()
  const [reading, setReading] = useState<number>()
  const [error, setError] = useState<GatehouseError>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    setExisting(undefined)
    setReading(undefined)
    setError(undefined)
    if (by === '') return undefined
    const stop = new AbortController()
    setReading(0)
    ExistingGuests.read({ event_id }, by, setReading, stop.signal)
      .then(setExisting, (problem) => stop.signal.aborted || setError(asRefusal(problem)))
      .finally(() => stop.signal.aborted || setReading(undefined))
    return () => stop.abort()
  }, [event_id, by, round])
  return { by, choose, existing, reading, error, reload: () => setRound((before) => before + 1) }
}

/** The choice by what rows are about guests who are there. */
export function MatchChoice({ matching, disabled }: { matching: Matching; disabled: boolean }) {
  const { say } = useConsole()
  const { by, choose, reading, error, reload } = matching
  return (
    <>
      <Selection
        id="match"
        label={say('import_match')}
        value={by}
        options={[
          ['', say('import_match_none')],
          ['uid', say('import_match_uid')],
          ['email', say('import_match_email')],
        ]}
        disabled={disabled}
        onChange={(value) => choose(value as MatchBy)}
      />
      {reading !== undefined && <output class="quiet wide">{say('export_progress', { count: reading })}</output>}
      {error && <Problem error={error} retry={reload} />}
    </>
  )
}

interface ChangesProps {
  rows: GuestRows
  names: NamesOf | undefined
  csvOf: (rows: readonly (readonly unknown[])[]) => string
}

/** What an import changes: how many guests are new, and for each of the others the fields that get another value. */
export function Changes({ rows, names, csvOf }: ChangesProps) {
  const { say } = useConsole()
  const there = rows.good.filter(({ change }) => change)
  const changing = there.filter(isChanging)
  const words = (each: FieldChange): [string, string, string] => [
    named(say, 'field', each.name),
    valueWords(say, names, each.name, each.before),
    valueWords(say, names, each.name, each.after),
  ]
  const save = (): void => {
    const header = ['line', 'uid', 'name', 'field', 'before', 'after']
    const lines = changing.flatMap(({ line, change: { uid, name, fields } }) =>
      fields.map((field) => [line, uid, name, ...words(field)]),
    )
    saveFile('guests-changes.csv', ['\ufeff', csvOf([header, ...lines])], CSV)
  }
  return (
    <section class="notice" aria-label={say('import_changes')}>
      <h2>{say('import_changes')}</h2>
      <p>
        {[
          say('import_new', { count: rows.good.length - there.length }),
          say('import_changing', { count: changing.length }),
          say('import_same', { count: there.length - changing.length }),
        ].join(' · ')}
      </p>
      {changing.length > 0 && (
        <>
          <ul class="rows">
            {changing.slice(0, SHOWN).map(({ line, change: { name, fields } }) => (
              <li key={line}>
                <strong>{name}</strong> <span class="quiet">{say('import_row', { line })}</span>
                {fields.map(words).map(([field, before, after]) => (
                  <small key={field}>
                    {field}: <del>{before || '–'}</del> → <ins>{after || '–'}</ins>
                  </small>
                ))}
              </li>
            ))}
          </ul>
          <button type="button" class="second" onClick={save}>
            {say('import_save_changes')}
          </button>
        </>
      )}
    </section>
  )
}

/** Saves what became of each row. */
export function ReportButton({
  running,
  bad,
  csvOf,
}: Pick<ChangesProps, 'csvOf'> & { running: GuestImport; bad: readonly SkippedRow[] }) {
  const { say } = useConsole()
  const save = (): void => {
    const done = running.rows.map(({ line, outcome, uid }) => [line, say(`outcome_${outcome}`), uid, ''] as const)
    const left = bad.map(({ line, problem }) => [line, say('outcome_bad'), '', problem] as const)
    const all = [...done, ...left].sort(([one], [other]) => one - other)
    saveFile('guests-import.csv', ['\ufeff', csvOf([['line', 'outcome', 'uid', 'problem'], ...all])], CSV)
  }
  return (
    <button type="button" class="second" onClick={save}>
      {say('import_save_report')}
    </button>
  )
}

function isChanging(row: ImportRow): row is ImportRow & { change: GuestChange } {
  return row.change !== undefined && row.change.fields.length > 0
}

/** A value in words: categories and choices by their names. */
function valueWords(say: ConsoleSay, names: NamesOf | undefined, field: string, value: string): string {
  const known = names?.[field]?.get(value)
  if (known !== undefined) return known
  return field === 'rsvp_status' || field === 'status' ? named(say, 'choice', value) : value
}
