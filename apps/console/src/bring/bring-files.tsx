import type { ComponentChildren } from 'preact'
import { Field, Tick } from '../form/field.tsx'
import { Selection } from '../guests/import/source.tsx'
import { hrefOf } from '../route/route.ts'
import { useConsole } from '../view/console.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import { useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import type { FilesKind } from './files.ts'
import { Outcomes } from './outcomes.tsx'
import { type Options, useBringing } from './use-bringing.ts'

interface Props {
  kind: FilesKind
  /** Its id; empty for a new one. */
  event: string
  /** Chooses the event that was made, where the page is not about one. */
  choose: ((event: string) => void) | undefined
  /** The choice of an event. */
  choice: ComponentChildren
}

/** Brings files into an event: what they are, what would come of them, then the import, which can be stopped and go on. */
export function BringFiles({ kind, event, choose, choice }: Props) {
  const { say } = useConsole()
  const bringing = useBringing(kind, event, choose)
  const { problem, error, isRunning, isLooking, progress, plan, done, options, change, isReady } = bringing
  useAskBeforeLeaving(isRunning)
  // None may be new though something comes, such as check-ins of guests who are there.
  const fresh = plan?.reduce((sum, { imported }) => sum + imported, 0) ?? 0
  const describing = {
    'aria-describedby': problem ? 'files-problem files-hint' : 'files-hint',
    'aria-invalid': !!problem,
  }
  return (
    <>
      <div class="form">
        {choice}
        {kind === 'tickets' && event === '' && (
          <>
            <div class="field">
              <label for="title">{say('field_title')}</label>
              <input
                id="title"
                value={options.title}
                disabled={isRunning}
                onInput={({ currentTarget }) => change({ title: currentTarget.value })}
              />
            </div>
            <Field
              name="timezone"
              label={say('field_timezone')}
              field={{ kind: 'text', required: true, known: 'time_zones' }}
              value={options.timezone}
              errors={undefined}
              options={undefined}
              ownHint={say('hint_event_timezone')}
              isNew
              zone=""
              onChange={(timezone) => change({ timezone: String(timezone) })}
            />
          </>
        )}
        {(event !== '' || kind === 'tickets') && (
          <div class="field">
            <label for="files">{say('bring_files')}</label>
            <input
              id="files"
              type="file"
              multiple={kind === 'tickets'}
              accept=".csv,.tsv,.txt,.xlsx,.ods,.json,text/csv"
              disabled={isRunning}
              {...describing}
              onChange={({ currentTarget: { files } }) => bringing.open([...(files ?? [])])}
            />
            <small id="files-hint" class="hint">
              {say(`bring_files_${kind}`)}
            </small>
            {problem && (
              <p class="problem" id="files-problem" role="alert">
                {problem}
              </p>
            )}
          </div>
        )}
        {event !== '' && <PointChoice event={event} options={options} change={change} isDisabled={isRunning} />}
        {(plan || done) && <Choices kind={kind} options={options} change={change} isDisabled={isRunning} />}
      </div>
      {isLooking && <output class="quiet">{say('bring_looking', { count: progress.guests })}</output>}
      {error && <Problem error={error} retry={isReady ? bringing.start : bringing.look} />}
      {plan && !done && (
        <>
          <Outcomes title={say('bring_plan')} outcomes={plan} isPlan options={options} change={change} />
          <div class="buttons">
            <button type="button" disabled={!isReady || isRunning} onClick={bringing.start}>
              {fresh > 0 ? say('import_start', { count: fresh }) : say('bring_start')}
            </button>
          </div>
        </>
      )}
      {(isRunning || bringing.left > 0) && (
        <section class="notice">
          <progress max={progress.count} value={progress.done} aria-label={say('import_progress', { ...progress })} />
          <output>{say('import_progress', { ...progress })}</output>
          <button type="button" class="second" onClick={isRunning ? bringing.stop : bringing.start}>
            {say(isRunning ? 'import_stop' : 'import_go_on')}
          </button>
        </section>
      )}
      {done && (
        <>
          <Outcomes title={say(bringing.left > 0 ? 'bring_stopped' : 'bring_done')} outcomes={done} />
          <div class="buttons">
            <button type="button" class="second" onClick={bringing.saveReport}>
              {say('import_save_report')}
            </button>
            <a class="button second" href={hrefOf('events', event, 'guests')}>
              {say('page_guests')}
            </a>
          </div>
          {kind === 'tickets' && <p class="quiet">{say('bring_scan_one')}</p>}
        </>
      )}
    </>
  )
}

interface ChoiceProps {
  options: Options
  change: (options: Partial<Options>) => void
  isDisabled: boolean
}

/** The check-in point of rows that name none, where the event has several. */
function PointChoice({ event, options, change, isDisabled }: ChoiceProps & { event: string }) {
  const { say } = useConsole()
  const points = useNames(['accesspoint_id'], { event_id: event })?.accesspoint_id
  if (!points || points.size < 2) return null
  return (
    <Selection
      id="point"
      label={say('bring_point')}
      hint={say('bring_point_hint')}
      value={options.point}
      options={[['', say('bring_point_none')], ...points]}
      disabled={isDisabled}
      onChange={(point) => change({ point })}
    />
  )
}

function Choices({ kind, options, change, isDisabled }: ChoiceProps & { kind: FilesKind }) {
  const { say } = useConsole()
  return (
    <>
      <Selection
        id="dates"
        label={say('bring_dates')}
        value={options.dates}
        options={[
          ['', say('bring_dates_none')],
          ['dmy', say('bring_dates_dmy')],
          ['mdy', say('bring_dates_mdy')],
        ]}
        disabled={isDisabled}
        onChange={(dates) => change({ dates: dates as Options['dates'] })}
      />
      <div class="field">
        <label for="at">{say('bring_at')}</label>
        <input
          id="at"
          type="datetime-local"
          value={options.at}
          disabled={isDisabled}
          aria-describedby="at-hint"
          onChange={({ currentTarget }) => change({ at: currentTarget.value })}
        />
        <small id="at-hint" class="hint">
          {say('bring_at_hint')}
        </small>
      </div>
      {kind === 'tickets' && !isDisabled && (
        <div class="field wide">
          <Tick words={say('bring_unpaid')} isOn={options.unpaid} onTurn={(unpaid) => change({ unpaid })} />
          <Tick words={say('bring_check_ins')} isOn={options.checkIns} onTurn={(checkIns) => change({ checkIns })} />
        </div>
      )}
    </>
  )
}
