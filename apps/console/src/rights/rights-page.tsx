import { useRef, useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { useIsPrinting } from '../list/use-is-printing.ts'
import type { PageProps } from '../resources/resource.ts'
import { client } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useLoaded } from '../view/loaded.ts'
import { MakeFirst } from '../view/make-first.tsx'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { Everywhere } from './everywhere.tsx'
import { type CellProps, LimitCell, ShownLimit } from './limit-cell.tsx'
import { type Limit, saveLimit, saveTerms } from './limits.ts'
import { isDoor, LINKS } from './links.ts'

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
        links.data.map(({ guest_category_id, accesspoint_id, ...link }): [string, Limit] => [
          keyOf(guest_category_id, accesspoint_id),
          link,
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

function Head({ mayChange = false }: { mayChange?: boolean }) {
  const { say } = useConsole()
  return (
    <>
      <div class="head">
        <h1>{say('page_rights')}</h1>
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

interface Point extends Named {
  direction: string
}

interface GridProps {
  event_id: string
  categories: Named[]
  points: Point[]
  limits: ReadonlyMap<string, Limit>
  mayChange: boolean
}

function Grid({ event_id, categories, points, limits: first, mayChange }: GridProps) {
  const { say } = useConsole()
  const isPrinting = useIsPrinting()
  const [limits, setLimits] = useState(first)
  const doors = points.filter(isDoor)
  const last = useRef(0)
  const begin = () => {
    last.current += 1
    const number = last.current
    return () => number === last.current
  }
  const isShown = !mayChange || isPrinting
  // Rights that were set for all doors are read by their cells anew.
  const [rounds, setRounds] = useState<ReadonlyMap<string, number>>(new Map())
  const rightOf = (category: Named, point: Named) => {
    const key = keyOf(category._id, point._id)
    const cell = { event_id, guest_category_id: category._id, accesspoint_id: point._id }
    const keep = async (storing: Promise<Limit | undefined>): Promise<Limit | undefined> => {
      const stored = await storing
      setLimits((before) => new Map(stored ? [...before, [key, stored]] : [...before].filter(([each]) => each !== key)))
      return stored
    }
    const save: CellProps['save'] = (...change) => keep(saveLimit(cell, ...change))
    const saveHow: CellProps['saveTerms'] = async (limit, terms) => (await keep(saveTerms(cell, limit, terms))) ?? limit
    return { limit: limits.get(key), save, saveTerms: saveHow }
  }
  const cellOf = (category: Named, point: Named) => {
    const right = rightOf(category, point)
    if (isShown) return <ShownLimit limit={right.limit} />
    const label = say('rights_cell', { category: category.name, point: point.name })
    return <LimitCell key={rounds.get(category._id)} {...{ label, begin }} {...right} />
  }
  const everywhereFor = (category: Named) => (
    <Everywhere
      name={category.name}
      doors={doors.map((point) => rightOf(category, point))}
      onSet={() => setRounds((before) => new Map([...before, [category._id, (before.get(category._id) ?? 0) + 1]]))}
    />
  )
  return (
    <>
      <Head mayChange={mayChange && !isPrinting} />
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
                  <Nowhere isSo={!doors.some((point) => limits.has(keyOf(category._id, point._id)))} />
                  {!isShown && doors.length > 1 && everywhereFor(category)}
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

/** Says that guests of a category may enter nowhere. Its place stays once they may somewhere: no row moves under the hand that chooses. */
function Nowhere({ isSo }: { isSo: boolean }) {
  const { say } = useConsole()
  const wasSo = useRef(isSo)
  wasSo.current ||= isSo
  return wasSo.current && <small class={isSo ? 'problem nowhere' : 'nowhere past'}>{say('rights_nowhere')}</small>
}

function keyOf(category: string, point: string): string {
  return `${category} ${point}`
}
