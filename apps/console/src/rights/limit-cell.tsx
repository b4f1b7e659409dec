import { useId, useRef, useState } from 'preact/hooks'
import { Tick } from '../form/field.tsx'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import type { ConsoleSay } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { type Limit, limitOf, type Terms, textOf } from './limits.ts'

/** The id of the list of usual limits. */
export const LIMITS = 'limits'

/** What a cell of the grid has. */
export interface CellProps {
  label: string
  limit: Limit | undefined
  save: (limit: Limit | undefined, wanted: number | undefined) => Promise<Limit | undefined>
  saveTerms: (limit: Limit, terms: Partial<Terms>) => Promise<Limit>
}

/** The text of a right, and how far it is saved. What was refused stays, with the reason. */
function useLimit(first: Limit | undefined, { save, saveTerms }: Pick<CellProps, 'save' | 'saveTerms'>) {
  const last = useRef<Promise<Limit | undefined>>(Promise.resolve(first))
  const [text, setText] = useState(textOf(first?.max_allowed_accesses))
  const [state, setState] = useState<'open' | 'typed' | 'saving' | 'saved' | 'wrong'>('open')
  const [error, setError] = useState<GatehouseError>()
  const type = (typed: string): void => {
    setText(typed)
    setState('typed')
  }
  const change = async (typed: string): Promise<void> => {
    const wanted = limitOf(typed)
    setError(undefined)
    if (wanted === null) return setState('wrong')
    setState('saving')
    // A change waits for the one before, and needs to know what that has stored.
    const before = last.current
    const saving = before.then((limit) => save(limit, wanted))
    last.current = saving.catch(() => before)
    try {
      await saving
      // What was typed meanwhile stays.
      setText((now) => (now === typed ? textOf(wanted) : now))
      setState((now) => (now === 'saving' ? 'saved' : now))
    } catch (problem) {
      setError(asRefusal(problem))
      setState('wrong')
    }
  }
  /** Whether it was stored. */
  const setTerms = async (terms: Partial<Terms>): Promise<boolean> => {
    setError(undefined)
    const before = last.current
    const saving = before.then((limit) => limit && saveTerms(limit, terms))
    last.current = saving.catch(() => before)
    try {
      await saving
      return true
    } catch (problem) {
      setError(asRefusal(problem))
      return false
    }
  }
  return { text, state, error, type, change, setTerms }
}

/** One right, which is saved by its button, by Enter, or when the cell is left. */
export function LimitCell({ label, limit, ...storing }: CellProps) {
  const { say } = useConsole()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { text, state, error, type, change, setTerms } = useLimit(limit, storing)
  return (
    <div class="right">
      <input
        ref={input}
        aria-label={label}
        aria-describedby={id}
        list={LIMITS}
        value={text}
        size={4}
        autocomplete="off"
        class={state}
        aria-invalid={state === 'wrong'}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && void change(currentTarget.value)}
        onBlur={({ currentTarget }) => state === 'typed' && void change(currentTarget.value)}
      />
      {(state === 'typed' || state === 'wrong') && (
        <button
          type="button"
          // Who is at the keyboard has Enter: a button that goes when the cell is left would take the focus along.
          tabIndex={-1}
          aria-label={`${say('save')}: ${label}`}
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            input.current?.focus()
            void change(input.current?.value ?? '')
          }}
        >
          {say('save')}
        </button>
      )}
      <span id={id}>
        {state === 'saved' && <span class="note">{say('saved')}</span>}
        {state === 'wrong' && !error && (
          <small class="problem" role="alert">
            {say('rights_wrong')}
          </small>
        )}
      </span>
      {limit && <TermsOf label={label} terms={limit} onChange={setTerms} />}
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
      {textOf(limit.max_allowed_accesses)} <small class="quiet">{wordsOf(say, limit)}</small>
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
  return [period === 'day' && say('rights_day_short'), reentry && say('rights_reentry_short')]
    .filter(Boolean)
    .join(' · ')
}
