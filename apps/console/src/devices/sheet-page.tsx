import { useState } from 'preact/hooks'
import type { PageProps } from '../resources/resource.ts'
import { type Item, read } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import { useLoaded } from '../view/loaded.ts'
import { MakeFirst } from '../view/make-first.tsx'
import { nameOf, useNames } from '../view/names.ts'
import { Options } from '../view/options.tsx'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { Unreachable } from './device-code.tsx'
import { LAYOUTS, type Layout, Sheet } from './sheet.tsx'
import { SheetRun } from './sheet-run.ts'

const DEVICES = '/api/v1/events/{event_id}/devices.json'
/** For how many hours codes may be good, the usual first. */
const HOURS = [24, 72, 168, 1]
const DAY_HOURS = 24

/** Makes a sheet to print with the set-up codes of all devices that nobody has set up yet. Those at work keep what they have. */
export function SheetPage({ params }: PageProps) {
  const { say } = useConsole()
  const path = { event_id: params.event_id ?? '' }
  const points = useNames(['accesspoint_ids'], path)?.accesspoint_ids
  const { value, error, reload } = useLoaded((signal) => read<Item[]>(DEVICES, path, {}, signal), [path.event_id])
  const [layout, setLayout] = useState<Layout>('four')
  const [run, setRun] = useState<SheetRun>()
  const [, setRound] = useState(0)
  const isMade = run?.isOver === true
  // Nobody sees the codes again.
  useAskBeforeLeaving(isMade)
  const start = (ids: string[], hours: number): void => {
    const next = new SheetRun(path.event_id, ids, hours, () => setRound((before) => before + 1))
    setRun(next)
    void next.run()
  }
  return (
    <>
      <div class="head no-print">
        <h1>{say('sheet_title')}</h1>
        {isMade && (
          <div class="tools">
            <LayoutChoice layout={layout} onChange={setLayout} />
            <button type="button" onClick={() => print()}>
              {say('sheet_print')}
            </button>
          </div>
        )}
      </div>
      {error && !value && <Problem error={error} retry={reload} />}
      {!error && !value && <Skeleton />}
      {value?.length === 0 && <MakeFirst paths={[DEVICES]} params={params} />}
      {value && value.length > 0 && !run && <Choice devices={value} {...{ layout, setLayout }} onStart={start} />}
      {run && !isMade && <output class="quiet">{say('sheet_progress', { done: run.done, count: run.count })}</output>}
      {run?.error && <Problem error={run.error} retry={() => void run.run()} />}
      {run && isMade && (
        <>
          <p class="notice no-print">{say('sheet_ready')}</p>
          <Sheet devices={run.devices} layout={layout} points={points} />
        </>
      )}
    </>
  )
}

interface ChoiceProps {
  devices: readonly Item[]
  layout: Layout
  setLayout: (layout: Layout) => void
  onStart: (ids: string[], hours: number) => void
}

/** Says which devices get a code and which keep theirs, and asks before codes end that were given before. */
function Choice({ devices, layout, setLayout, onStart }: ChoiceProps) {
  const { say, locale } = useConsole()
  const [hours, setHours] = useState(DAY_HOURS)
  const [isAsking, setAsking] = useState(false)
  const waiting = devices.filter(({ enrolled_at }) => !enrolled_at)
  const working = devices.filter(({ enrolled_at }) => enrolled_at)
  const count = waiting.length
  return (
    <section class="panel sheet-choice">
      <p>{say('sheet_text')}</p>
      <Unreachable host={location.hostname} />
      {count > 0 ? (
        <p>
          <strong>{say('sheet_new', { count })}</strong> {waiting.map(nameOf).join(', ')}
        </p>
      ) : (
        <p>{say('sheet_none')}</p>
      )}
      {working.length > 0 && (
        <p class="quiet">
          <strong>{say('sheet_kept', { count: working.length })}</strong> {working.map(nameOf).join(', ')}
        </p>
      )}
      {count > 0 && (
        <div class="buttons">
          <LayoutChoice layout={layout} onChange={setLayout} />
          <label class="choice">
            {say('sheet_valid')}
            <select value={String(hours)} onChange={({ currentTarget }) => setHours(Number(currentTarget.value))}>
              <Options choices={HOURS.map((each) => [String(each), durationIn(locale, each)])} />
            </select>
          </label>
          {!isAsking && (
            <button type="button" onClick={() => setAsking(true)}>
              {say('sheet_make')}
            </button>
          )}
        </div>
      )}
      {isAsking && (
        <span class="asking" role="alert">
          {say('sheet_asks', { count })}
          <button
            type="button"
            onClick={() =>
              onStart(
                waiting.map(({ _id }) => String(_id)),
                hours,
              )
            }
          >
            {say('sheet_make')}
          </button>
          <button type="button" class="second" onClick={() => setAsking(false)}>
            {say('cancel')}
          </button>
        </span>
      )}
    </section>
  )
}

function LayoutChoice({ layout, onChange }: { layout: Layout; onChange: (layout: Layout) => void }) {
  const { say } = useConsole()
  return (
    <label class="choice">
      {say('sheet_per_page')}
      <select value={layout} onChange={({ currentTarget }) => onChange(currentTarget.value as Layout)}>
        <Options choices={(Object.keys(LAYOUTS) as Layout[]).map((each) => [each, say(`sheet_${each}`)] as const)} />
      </select>
    </label>
  )
}

/** Hours as a locale writes them, whole days as days. */
function durationIn(locale: string, hours: number): string {
  const isDays = hours % DAY_HOURS === 0
  const unit = { style: 'unit', unit: isDays ? 'day' : 'hour', unitDisplay: 'long' } as const
  return new Intl.NumberFormat(locale, unit).format(isDays ? hours / DAY_HOURS : hours)
}
