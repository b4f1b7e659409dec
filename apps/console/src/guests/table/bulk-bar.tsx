import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { checkIns } from '../../check-ins/resource.ts'
import { fieldErrorWords } from '../../form/error-words.ts'
import { guests } from '../../resources/resources.ts'
import { BehindOne } from '../../view/behind-one.tsx'
import { useConsole } from '../../view/console.ts'
import { useMayChange } from '../../view/event.ts'
import { useAskBeforeLeaving } from '../../view/leaving.ts'
import type { NamesOf } from '../../view/names.ts'
import { Options } from '../../view/options.tsx'
import { Problem } from '../../view/problem.tsx'
import { checkIn, deleteGuests, sendCodes, setCategory } from './bulk-acts.ts'
import { BulkReport } from './bulk-report.tsx'
import { type BulkAct, BulkRun } from './bulk-run.ts'
import type { Selection } from './selection.ts'

interface Props {
  event_id: string
  selection: Selection
  names: NamesOf | undefined
  /** What the table finds. */
  query: object
  /** Saves the selected guests as a file. */
  exporting: ComponentChildren
  /** Called when something was done to guests. */
  onDone: () => void
}

type Act = 'category' | 'check_in' | 'code' | 'delete'

/** What can be done to the selected guests. Each act says first to how many, and afterwards with whom it failed. */
export function BulkBar({ event_id, selection, names, query, exporting, onDone }: Props) {
  const { say, locale } = useConsole()
  const { selected, select, reading, error } = selection
  const [running, setRunning] = useState<BulkRun>()
  const [, setTick] = useState(0)
  const [act, setAct] = useState<Act>()
  useEffect(() => () => running?.stop(), [running])
  useAskBeforeLeaving(running?.isRunning === true)
  const start = async (bulk: BulkAct): Promise<void> => {
    const wordsOf = (refusal: Parameters<typeof fieldErrorWords>[1]): string => fieldErrorWords(say, refusal)
    const run = new BulkRun([...selected.values()], bulk, wordsOf, () => setTick((before) => before + 1))
    setAct(undefined)
    setRunning(run)
    await go(run)
  }
  const go = async (run: BulkRun): Promise<void> => {
    await run.run()
    select(new Map(run.rest.map((guest) => [guest._id, guest])))
    onDone()
  }
  if (running) return <BulkReport run={running} goOn={() => void go(running)} onClose={() => setRunning(undefined)} />
  if (selected.size === 0 && reading === undefined && !error) return null
  const count = (number: number): string => number.toLocaleString(locale)
  return (
    <section class="notice bulk" aria-label={say('selection')}>
      <div class="buttons">
        <output>
          <strong>{say('selected', { count: count(reading ?? selected.size) })}</strong>
        </output>
        {reading === undefined ? (
          <>
            <button type="button" class="second" onClick={() => selection.selectAll(query)}>
              {say('select_all')}
            </button>
            <button type="button" class="second" onClick={() => select(new Map())}>
              {say('select_none')}
            </button>
            {!act && (
              <BehindOne text="actions">
                <Acts choose={setAct} exporting={exporting} />
              </BehindOne>
            )}
          </>
        ) : (
          <button type="button" class="second" onClick={selection.stop}>
            {say('import_stop')}
          </button>
        )}
      </div>
      {error && <Problem error={error} retry={() => selection.selectAll(query)} />}
      {act && reading === undefined && (
        <Asking
          key={act}
          {...{ act, event_id, names }}
          count={selected.size}
          start={start}
          cancel={() => setAct(undefined)}
        />
      )}
    </section>
  )
}

function Acts({ choose, exporting }: { choose: (act: Act) => void; exporting: ComponentChildren }) {
  const { say } = useConsole()
  const mayMake = useMayChange()
  const mayChange = mayMake(guests.changes)
  const button = (each: Act, isAlarming = false) => (
    <button type="button" class={`second${isAlarming ? ' alarming' : ''}`} onClick={() => choose(each)}>
      {say(LABELS[each])}
    </button>
  )
  return (
    <>
      {mayChange && button('category')}
      {mayMake(checkIns.creates) && button('check_in')}
      {mayChange && button('code')}
      {exporting}
      {mayChange && button('delete', true)}
    </>
  )
}

const LABELS = {
  category: 'bulk_category',
  check_in: 'check_in',
  code: 'bulk_code',
  delete: 'delete',
} as const

interface AskingProps extends Pick<Props, 'event_id' | 'names'> {
  act: Act
  count: number
  start: (bulk: BulkAct) => Promise<void>
  cancel: () => void
}

/** Asks for what an act needs, and says to how many guests it is done. Deleting needs that number, typed. */
function Asking({ act, event_id, names, count, start, cancel }: AskingProps) {
  const { say } = useConsole()
  const choices = act === 'category' ? names?.guest_category_id : act === 'check_in' ? names?.accesspoint_id : undefined
  const [chosen, setChosen] = useState('')
  const [typed, setTyped] = useState('')
  const choice = chosen || ([...(choices?.keys() ?? [])][0] ?? '')
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (act === 'category') void start(setCategory(event_id, choice, say))
    else if (act === 'check_in') void start(checkIn(event_id, choice, say))
    else if (act === 'code') void start(sendCodes(event_id))
    else void start(deleteGuests(event_id))
  }
  const asks = say(`bulk_${act}_asks`, { count })
  const isReady = act === 'delete' ? typed.trim() === String(count) : choices === undefined || choice !== ''
  return (
    <form class="buttons" onSubmit={submit}>
      {act === 'code' ? <span>{asks}</span> : <label for="bulk">{asks}</label>}
      {choices && (
        <select id="bulk" value={choice} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          <Options choices={choices} />
        </select>
      )}
      {act === 'delete' && (
        <input
          id="bulk"
          inputMode="numeric"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <button type="submit" class={act === 'delete' ? 'alarming' : ''} disabled={!isReady}>
        {say(LABELS[act])}
      </button>
      <button type="button" class="second" onClick={cancel}>
        {say('cancel')}
      </button>
    </form>
  )
}
