import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { Tick } from '../form/field.tsx'
import { ColumnPreview } from '../guests/import/column-preview.tsx'
import { useConsole } from '../view/console.ts'
import type { Outcome, ToldRow } from './files.ts'
import type { Options } from './use-bringing.ts'
import { outcomeWords, problemWords, targetWords } from './words.ts'

/** Rows that are shown; the report has all. */
const SHOWN = 100

interface Props {
  title: string
  outcomes: readonly Outcome[]
  isPlan?: boolean
  options?: Options
  change?: (options: Partial<Options>) => void
}

/** What would come of files, or came: for each file the numbers, and the rows with a problem. */
export function Outcomes({ title, outcomes, isPlan = false, options, change }: Props) {
  const { say } = useConsole()
  return (
    <section class="notice" aria-label={title}>
      <h2>{title}</h2>
      {outcomes.map((outcome) => (
        <div key={outcome.name}>
          <h3>{dotted([outcome.name, outcome.system, say(KINDS[outcome.what])])}</h3>
          <ul class="rows">
            {outcomeWords(say, outcome, isPlan).map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
          {isPlan && <Missing outcome={outcome} />}
          {options && change && <Columns outcome={outcome} options={options} change={change} />}
          <Rows title="bring_cannot" rows={outcome.bad} />
          <Rows title="import_odd" rows={outcome.warnings} />
        </div>
      ))}
      {options && change && <TicketTypes outcomes={outcomes} options={options} change={change} />}
    </section>
  )
}

const KINDS = {
  tickets: 'bring_kind_tickets',
  vouchers: 'page_promo_codes',
  'check-ins': 'page_access_controls',
} as const

/** What is made first, besides categories. */
function Missing({ outcome }: { outcome: Outcome }) {
  const { say } = useConsole()
  const namesOf = (kind: string): string =>
    outcome.missing.flatMap((each) => (each.kind === kind ? [each.name] : [])).join(', ')
  const [fields, points] = [namesOf('guest field'), namesOf('check-in point')]
  return (
    <>
      {points && <p>{say('bring_new_point', { names: points })}</p>}
      {fields && <p>{say('bring_new_fields', { names: fields })}</p>}
    </>
  )
}

/** What columns may be several times in a file. */
const REPEATABLE = ['-', 'note', 'answer']

/** What each column was found to be, and the choice of something else. */
function Columns({ outcome, options, change }: { outcome: Outcome } & Required<Pick<Props, 'options' | 'change'>>) {
  const { say } = useConsole()
  const { name, headers, columns, targets, rows, bad, warnings } = outcome
  const chosen = options.columns[name] ?? {}
  const choose = (index: number, target: string): void => {
    // What is chosen for one column is no longer chosen for another one.
    const others = Object.entries(chosen).filter(([, each]) => each !== target || REPEATABLE.includes(target))
    change({ columns: { ...options.columns, [name]: { ...Object.fromEntries(others), [index]: target } } })
  }
  return (
    <details open={columns.every((each) => each === '-' || each === 'answer')}>
      <summary>{say('bring_columns')}</summary>
      <ColumnPreview
        headers={headers}
        rows={rows}
        bad={bad}
        odd={warnings}
        meanings={columns}
        choices={targets.map((target) => [target, targetWords(say, target)] as const)}
        onChange={choose}
      />
    </details>
  )
}

/** New categories, of which some may stay out: T-shirts are sold as tickets too. */
function TicketTypes({ outcomes, options, change }: Required<Pick<Props, 'outcomes' | 'options' | 'change'>>) {
  const { say } = useConsole()
  const { without } = options
  const found = outcomes.flatMap(({ missing }) =>
    missing.flatMap(({ kind, name }) => (kind === 'guest category' ? [name] : [])),
  )
  const names = [...new Set([...found, ...without])].sort((one, other) => one.localeCompare(other))
  if (names.length === 0) return null
  return (
    <fieldset class="field">
      <legend>{say('bring_new_categories')}</legend>
      {names.map((name) => (
        <Tick
          key={name}
          words={name}
          isOn={!without.includes(name)}
          onTurn={(isOn) => change({ without: isOn ? without.filter((each) => each !== name) : [...without, name] })}
        />
      ))}
    </fieldset>
  )
}

function Rows({ title, rows }: { title: 'bring_cannot' | 'import_odd'; rows: readonly ToldRow[] }) {
  const { say } = useConsole()
  if (rows.length === 0) return null
  return (
    <details open>
      <summary>{say(title, { count: rows.length })}</summary>
      <ul class="rows">
        {rows.slice(0, SHOWN).map(({ line, cells, problem }) => (
          <li key={line}>
            <strong>{say('import_row', { line })}</strong>: {problemWords(say, problem)}{' '}
            <span class="quiet">{cells.filter(Boolean).slice(0, 4).join(', ')}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
