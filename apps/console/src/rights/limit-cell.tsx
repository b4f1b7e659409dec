import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { useId, useRef, useState } from 'preact/hooks'
import { Tick } from '../form/field.tsx'
import { UNLIMITED } from '../form/values.ts'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import type { ConsoleSay } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { announce } from '../view/toasts.tsx'
import { CHOICE_WORDS, CHOICES, type Limit, limitOf, type Shown, shownOf, type Terms, wordsOfLimit } from './limits.ts'

/** What a cell of the grid has. */
export interface CellProps {
  label: string
  limit: Limit | undefined
  save: (limit: Limit | undefined, wanted: number | undefined, deleted?: Limit) => Promise<Limit | undefined>
  saveTerms: (limit: Limit, terms: Partial<Terms>) => Promise<Limit>
  /** Called when a choice is made; says later whether that is still the last one of the grid. */
  begin: () => () => boolean
}

/** What a cell shows, and how far it is saved. What was refused stays, with the reason. */
function useLimit({ label, limit: first, save, saveTerms, begin }: CellProps) {
  const { say } = useConsole()
  const last = useRef<Promise<Limit | undefined>>(Promise.resolve(first))
  const [shown, setShown] = useState(shownOf(first?.max_allowed_accesses))
  const [state, setState] = useState<'open' | 'typed' | 'saving' | 'saved' | 'wrong'>('open')
  const [error, setError] = useState<GatehouseError>()
  const type = (number: string): void => {
    setShown({ choice: 'several', number })
    setState('typed')
  }
  /** Does a change after the one before, and gives it what that has stored. Returns this. */
  const inTurn = async (change: (limit: Limit | undefined) => Promise<Limit | undefined>) => {
    const before = last.current
    const saving = before.then(change)
    last.current = saving.catch(() => before)
    await saving
    return before
  }
  const change = async (next: Shown): Promise<void> => {
    const wanted = limitOf(next)
    setShown(next)
    setError(undefined)
    if (wanted === null) return setState('wrong')
    setState('saving')
    const isLast = begin()
    try {
      const before = await inTurn((limit) => save(limit, wanted))
      setState((now) => (now === 'saving' ? 'saved' : now))
      const isOther = before?.max_allowed_accesses !== wanted
      // Answers come in any order: what is said, and undone, is what was chosen last.
      if (isLast()) announce(`${label}: ${wordsOfLimit(say, wanted)}`, isOther ? () => undo(before, next) : undefined)
    } catch (problem) {
      setError(asRefusal(problem))
      setState('wrong')
    }
  }
  /** Stores what there was before. What was chosen meanwhile stays. */
  const undo = async (before: Limit | undefined, undone: Shown): Promise<void> => {
    await inTurn((limit) => save(limit, before?.max_allowed_accesses, before))
    setShown((now) => (now === undone ? shownOf(before?.max_allowed_accesses) : now))
    setState((now) => (now === 'saved' ? 'open' : now))
  }
  /** Whether it was stored. */
  const setTerms = async (terms: Partial<Terms>): Promise<boolean> => {
    setError(undefined)
    try {
      await inTurn(async (limit) => limit && saveTerms(limit, terms))
      return true
    } catch (problem) {
      setError(asRefusal(problem))
      return false
    }
  }
  return { shown, state, error, type, change, setTerms }
}

/** One right: a choice, which is saved at once, and a number, which is saved by Enter or when its field is left. */
export function LimitCell(props: CellProps) {
  const { say } = useConsole()
  const { label, limit } = props
  const id = useId()
  const { shown, state, error, type, change, setTerms } = useLimit(props)
  return (
    <div class="right">
      <select
        aria-label={label}
        aria-describedby={id}
        class={state}
        value={shown.choice}
        onChange={({ currentTarget }) =>
          void change({ ...shown, choice: CHOICES[currentTarget.selectedIndex] ?? 'none' })
        }
      >
        {CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {say(CHOICE_WORDS[choice])}
          </option>
        ))}
      </select>
      {shown.choice === 'several' && (
        <input
          aria-label={`${label}: ${say('rights_number')}`}
          aria-describedby={id}
          aria-invalid={state === 'wrong'}
          inputMode="numeric"
          autocomplete="off"
          size={4}
          class={state}
          value={shown.number}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Enter' && void change({ ...shown })}
          onBlur={() => state === 'typed' && void change({ ...shown })}
        />
      )}
      <span id={id} class="state">
        {state === 'saved' && <span class="note">{say('saved')}</span>}
        {state === 'wrong' && !error && (
          <small class="problem" role="alert">
            {say('rights_wrong')}
          </small>
        )}
      </span>
      {limit && shown.choice !== 'unlimited' && <TermsOf label={label} terms={limit} onChange={setTerms} />}
      {error && <Problem error={error} />}
    </div>
  )
}

/** A right that someone may not change. */
export function ShownLimit({ limit }: { limit: Limit | undefined }) {
  const { say } = useConsole()
  if (!limit) return <>–</>
  return (
    <>
      {wordsOfLimit(say, limit.max_allowed_accesses)}{' '}
      {limit.max_allowed_accesses !== UNLIMITED && <small class="quiet">{wordsOf(say, limit)}</small>}
    </>
  )
}

interface TermsProps {
  label: string
  terms: Terms
  onChange: (terms: Partial<Terms>) => Promise<boolean>
}

/** The terms of a right in a few words, which open what changes them. */
function TermsOf({ label, terms: stored, onChange }: TermsProps) {
  const { say } = useConsole()
  const [terms, setTerms] = useState<Terms>(stored)
  const change = async (changed: Partial<Terms>): Promise<void> => {
    setTerms((before) => ({ ...before, ...changed }))
    if (!(await onChange(changed))) setTerms(stored)
  }
  const words = wordsOf(say, terms) || say('rights_terms')
  return (
    <details class="terms">
      <summary aria-label={`${label}: ${words}`}>{words}</summary>
      <Tick
        words={say('rights_day')}
        isOn={terms.period === 'day'}
        onTurn={(isOn) => void change({ period: isOn ? 'day' : 'event' })}
      />
      <Tick words={say('rights_reentry')} isOn={terms.reentry} onTurn={(reentry) => void change({ reentry })} />
    </details>
  )
}

function wordsOf(say: ConsoleSay, { period, reentry }: Terms): string {
  return dotted([period === 'day' && say('rights_day_short'), reentry && say('rights_reentry_short')])
}
