import { useId, useRef, useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import type { PageProps } from '../resources/resource.ts'
import { asRefusal, client, type GatehouseError } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useLoaded } from '../view/loaded.ts'
import { MakeFirst } from '../view/make-first.tsx'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { LINKS, type Limit, limitOf, saveLimit, textOf } from './limits.ts'

const LIMITS = 'limits'
const CATEGORIES = '/api/v1/events/{event_id}/guest_categories.json'
const POINTS = '/api/v1/events/{event_id}/accesspoints.json'

/** Who may enter where and how often: guest categories and check-in points as one grid. */
export function RightsPage({ params }: PageProps) {
  const mayMake = useMayChange()
  const path = { event_id: params.event_id ?? '' }
  const { value, error, reload } = useLoaded(
    async (signal) => {
      const params = { params: { path }, signal }
      const [categories, points, links] = await Promise.all([
        client.GET(CATEGORIES, params),
        client.GET(POINTS, params),
        client.GET(LINKS, params),
      ])
      const limits = new Map(
        links.data.map(({ id, guest_category_id, accesspoint_id, max_allowed_accesses }): [string, Limit] => [
          keyOf(guest_category_id, accesspoint_id),
          { id, max_allowed_accesses },
        ]),
      )
      return { categories: categories.data, points: points.data, limits }
    },
    [path.event_id],
  )
  if (error) return <Problem error={error} retry={reload} />
  if (!value) return <Skeleton />
  const { categories, points, limits } = value
  const { creates } = declaredOf(LINKS)
  const mayChange = creates !== undefined && mayMake(creates)
  const missing = [...(categories.length === 0 ? [CATEGORIES] : []), ...(points.length === 0 ? [POINTS] : [])]
  if (missing.length > 0)
    return (
      <>
        <Head />
        <MakeFirst paths={missing} params={params} />
      </>
    )
  return <Grid key={path.event_id} event_id={path.event_id} {...{ categories, points, limits, mayChange }} />
}

function Head({ mayChange = false, saved }: { mayChange?: boolean; saved?: string }) {
  const { say } = useConsole()
  return (
    <>
      <div class="head">
        <h1>{say('page_rights')}</h1>
        <output class="note">{saved}</output>
      </div>
      <p class="quiet">
        {say('rights_text')} {mayChange && say('rights_save')}
      </p>
    </>
  )
}

interface Named {
  _id: string
  name: string
}

interface GridProps {
  event_id: string
  categories: Named[]
  points: Named[]
  limits: ReadonlyMap<string, Limit>
  mayChange: boolean
}

function Grid({ event_id, categories, points, limits: first, mayChange }: GridProps) {
  const { say } = useConsole()
  const [limits, setLimits] = useState(first)
  const [saved, setSaved] = useState('')
  const cellOf = (category: Named, point: Named) => {
    const label = say('rights_cell', { category: category.name, point: point.name })
    const key = keyOf(category._id, point._id)
    const limit = limits.get(key)
    if (!mayChange) return textOf(limit?.max_allowed_accesses) || '–'
    const save = async (limit: Limit | undefined, wanted: number | undefined): Promise<Limit | undefined> => {
      setSaved('')
      const cell = { event_id, guest_category_id: category._id, accesspoint_id: point._id }
      const stored = await saveLimit(cell, limit, wanted)
      setLimits((before) => new Map(stored ? [...before, [key, stored]] : [...before].filter(([each]) => each !== key)))
      setSaved(`${label}: ${say('saved')}`)
      return stored
    }
    return <LimitCell label={label} limit={limit} save={save} />
  }
  return (
    <>
      <Head mayChange={mayChange} saved={saved} />
      <datalist id={LIMITS}>
        {['1', '2', '3', textOf(-1)].map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section class="scrolling grid" aria-label={say('page_rights')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <td />
              {points.map(({ _id, name }) => (
                <th key={_id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {categories.map((category) => (
              <tr key={category._id}>
                <th scope="row">
                  {category.name}
                  {!points.some((point) => limits.has(keyOf(category._id, point._id))) && (
                    <small class="problem nowhere">{say('rights_nowhere')}</small>
                  )}
                </th>
                {points.map((point) => (
                  <td key={point._id}>{cellOf(category, point)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function keyOf(category: string, point: string): string {
  return `${category} ${point}`
}

interface CellProps {
  label: string
  limit: Limit | undefined
  save: (limit: Limit | undefined, wanted: number | undefined) => Promise<Limit | undefined>
}

/** The text of a right, and how far it is saved. What was refused stays, with the reason. */
function useLimit(first: Limit | undefined, save: CellProps['save']) {
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
  return { text, state, error, type, change }
}

/** One right, which is saved by its button, by Enter, or when the cell is left. */
function LimitCell({ label, limit, save }: CellProps) {
  const { say } = useConsole()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { text, state, error, type, change } = useLimit(limit, save)
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
      {error && <Problem error={error} />}
    </div>
  )
}
