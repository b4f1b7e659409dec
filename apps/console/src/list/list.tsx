import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../view/problem.tsx'
import type { Rows } from './rows.ts'

/** Pixels, as the style sheet has them. */
const ROW = 36
/** Browsers lay out no element that is much higher. */
const HIGHEST = 10_000_000
/** How long scrolling has to rest before rows are asked for. */
const REST_MS = 60

/** By how many rows keys move, of those that fit. One row is seen twice, so that nobody loses the place. */
const KEYS: Readonly<Record<string, (fitting: number) => number>> = {
  ArrowDown: () => 1,
  ArrowUp: () => -1,
  PageDown: (fitting) => Math.max(1, fitting - 1),
  PageUp: (fitting) => -Math.max(1, fitting - 1),
}

/** How rows are sorted by a column. */
export interface Sorting {
  way: 'ascending' | 'descending' | 'none'
  turn: () => void
}

/** A column of a list. */
export interface ListColumn<Item> {
  name: string
  title: string
  /** Numbers are narrow, and on the right. */
  isNumeric?: boolean
  /** Times are as wide as they are. */
  isTime?: boolean
  /** Its cells are a tick. */
  isTick?: boolean
  /** What the heading shows in place of the title. */
  heading?: ComponentChildren
  /** How the rows are sorted by it, and what sorts them otherwise. */
  sorting?: Sorting
  show: (item: Item) => ComponentChildren
}

interface Props<Item> {
  label: string
  rows: Rows<Item>
  columns: ListColumn<Item>[]
  /** What is shown in place of rows where there are none. */
  empty: ComponentChildren
}

/** A table that scrolls over any number of rows. The document holds those that are seen. */
export function List<Item>({ label, rows, columns, empty }: Props<Item>) {
  const frame = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(0)
  const [top, setTop] = useState(0)
  const fitting = Math.max(1, Math.floor(height / ROW) - 1)
  const beyond = Math.max(0, rows.count - fitting)
  const travel = Math.min(beyond * ROW, HIGHEST)
  const first = travel === 0 ? 0 : Math.min(beyond, Math.round((top / travel) * beyond))
  const last = Math.min(rows.count, first + fitting) - 1

  useLayoutEffect(() => {
    const measured = frame.current as HTMLDivElement
    const observer = new ResizeObserver(() => setHeight(measured.clientHeight))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (height === 0) return undefined
    const timer = setTimeout(() => rows.show(first, last), top === 0 ? 0 : REST_MS)
    return () => clearTimeout(timer)
  }, [rows, first, last, height])

  /** Moves by rows where a pixel is more than its share of one: a page of pixels would leave rows out. */
  const move = (event: KeyboardEvent): void => {
    const { target, currentTarget, key, shiftKey, ctrlKey, altKey, metaKey } = event
    const name = key === ' ' ? (shiftKey ? 'PageUp' : 'PageDown') : key
    const rowsOf = KEYS[name]
    const isPress = key === ' ' && (target instanceof HTMLButtonElement || target instanceof HTMLInputElement)
    if (travel === beyond * ROW || isPress || ctrlKey || altKey || metaKey || !rowsOf) return
    event.preventDefault()
    const next = Math.max(0, Math.min(beyond, first + rowsOf(fitting)))
    ;(currentTarget as HTMLElement).scrollTop = (next / beyond) * travel
  }

  const isEmpty = rows.isCounted && rows.count === 0
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  return (
    <>
      {rows.error && <Problem error={rows.error} retry={() => rows.retry(first, last)} />}
      <div class="frame" ref={frame}>
        <section
          class="list"
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
          tabIndex={0}
          onKeyDown={move}
          onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
        >
          <div style={{ height: `${travel === 0 ? (shown.length + 1) * ROW : travel + height}px` }}>
            <Table rows={rows} columns={columns} shown={shown} />
          </div>
        </section>
        {isEmpty && <div class="empty">{empty}</div>}
      </div>
    </>
  )
}

function classOf({ isNumeric, isTime, isTick }: Pick<ListColumn<never>, 'isNumeric' | 'isTime' | 'isTick'>): string {
  if (isTick) return 'tick'
  return isNumeric ? 'number' : isTime ? 'time' : ''
}

function SortButton({ title, way, turn }: Sorting & { title: string }) {
  return (
    <button type="button" class={`sort ${way}`} onClick={turn}>
      {title}
    </button>
  )
}

function Table<Item>({ rows, columns, shown }: Pick<Props<Item>, 'rows' | 'columns'> & { shown: number[] }) {
  return (
    <table aria-rowcount={rows.isCounted ? rows.count + 1 : -1}>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ name, title, heading = title, sorting, ...kind }) => (
            <th key={name} scope="col" class={classOf(kind)} {...(sorting && { 'aria-sort': sorting.way })}>
              {sorting ? <SortButton title={title} {...sorting} /> : heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody aria-busy={!rows.isCounted && rows.count === 0}>
        {shown.map((index) => {
          const item = rows.at(index)
          return (
            <tr key={index} aria-rowindex={index + 2}>
              {columns.map(({ name, isNumeric, show }) => (
                <td key={name} class={isNumeric ? 'number' : ''}>
                  {item ? show(item) : <span class="quiet">…</span>}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
