import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { Cards } from './cards.tsx'
import type { ListColumn } from './column.ts'
import { Heights } from './heights.ts'
import type { Rows } from './rows.ts'
import { SortButtons } from './sort-button.tsx'
import { Table } from './table.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import { useIsPrinting } from './use-is-printing.ts'

/** Pixels, as the style sheet has them. */
const ROW = 36
/** The height of a card until one was seen. */
const CARD = 72
/** Browsers lay out no element that is much higher. */
const HIGHEST = 10_000_000
/** How long scrolling has to rest before rows are asked for; for its first step they are asked for at once. */
const REST_MS = 60
/** Rows that stand for others until the first ones are there. */
const EXPECTED = 5
/** A list of at most so many cards has all of them in the document. */
const WHOLE = 25

/** By how many rows keys move, of those that fit. One row is seen twice, so that nobody loses the place. */
const KEYS: Readonly<Record<string, (fitting: number) => number>> = {
  ArrowDown: () => 1,
  ArrowUp: () => -1,
  PageDown: (fitting) => Math.max(1, fitting - 1),
  PageUp: (fitting) => -Math.max(1, fitting - 1),
}

interface Props<Item> {
  label: string
  rows: Rows<Item>
  columns: ListColumn<Item>[]
  /** The heading of a card; the first column unless it is given. */
  cardHeading?: ((item: Item) => ComponentChildren) | undefined
  /** What is shown in place of rows where there are none. */
  empty: ComponentChildren
}

/** A list that scrolls over any number of rows: a table, and cards in a narrow window. The document holds those that are seen; on paper is what was read. */
export function List<Item>({ label, rows, columns, cardHeading, empty }: Props<Item>) {
  const { say } = useConsole()
  const frame = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLElement>(null)
  const isPrinting = useIsPrinting()
  const isNarrow = useIsNarrow() && !isPrinting
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 })
  const [top, setTop] = useState(0)
  const moved = useRef(0)
  const { heights, onSeen } = useHeights(list, rows, width)
  const [row, header] = isNarrow ? [heights.usual, 0] : [ROW, 1]
  const fitting = Math.max(1, Math.floor(height / row) - header)
  const beyond = Math.max(0, rows.count - fitting)
  const whole = isNarrow ? heights.top(rows.count) - height : beyond * row
  const isScaled = whole > HIGHEST
  const travel = Math.max(0, Math.min(whole, HIGHEST))
  // Cards move with the finger, which a table in rows of a line need not.
  const isSmooth = isNarrow && !isScaled
  const step = travel === 0 ? 0 : (top / travel) * beyond
  const first = isSmooth ? Math.max(0, heights.at(top, rows.count)) : Math.min(beyond, Math.round(step))
  const isWhole = isNarrow && rows.isCounted && rows.count <= WHOLE
  // Cards may be lower than usual.
  const seen = isNarrow ? 2 * fitting : fitting
  const last = isSmooth ? heights.at(top + height, rows.count) : Math.min(rows.count, first + seen) - 1

  useLayoutEffect(() => {
    const measured = frame.current as HTMLDivElement
    const observer = new ResizeObserver(() => setSize({ width: measured.clientWidth, height: measured.clientHeight }))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (height === 0) return undefined
    const isFirst = performance.now() - moved.current > REST_MS
    moved.current = performance.now()
    const timer = setTimeout(() => rows.show(first, last), isFirst || top === 0 ? 0 : REST_MS)
    return () => clearTimeout(timer)
  }, [rows, first, last, height])

  /** Moves by rows where a pixel is more than its share of one: a page of pixels would leave rows out. */
  const move = (event: KeyboardEvent): void => {
    const { target, currentTarget, key, shiftKey, ctrlKey, altKey, metaKey } = event
    const name = key === ' ' ? (shiftKey ? 'PageUp' : 'PageDown') : key
    const rowsOf = KEYS[name]
    const isPress = key === ' ' && (target instanceof HTMLButtonElement || target instanceof HTMLInputElement)
    if (!isScaled || isPress || ctrlKey || altKey || metaKey || !rowsOf) return
    event.preventDefault()
    const next = Math.max(0, Math.min(beyond, first + rowsOf(fitting)))
    ;(currentTarget as HTMLElement).scrollTop = (next / beyond) * travel
  }

  const isEmpty = rows.isCounted && rows.count === 0
  const isOpening = !rows.isCounted && rows.count === 0 && !rows.error
  const count = isOpening ? EXPECTED : Math.max(0, last - first + 1)
  const inSight = Array.from({ length: isWhole ? rows.count : count }, (_, index) => (isWhole ? 0 : first) + index)
  const shown = isPrinting ? rows.numbers : inSight
  const long = isSmooth
    ? heights.top(Math.max(rows.count, shown.length))
    : travel === 0
      ? (shown.length + header) * row
      : travel + height
  return (
    <>
      {rows.error && <Problem error={rows.error} retry={() => rows.retry(first, last)} />}
      {isNarrow && !isEmpty && <SortButtons columns={columns} />}
      {isPrinting && shown.length < rows.count && (
        <p>{say('print_part', { count: shown.length, total: rows.count })}</p>
      )}
      <div class={isWhole ? 'frame whole' : 'frame'} ref={frame}>
        {!isEmpty && (
          <section
            class="list"
            ref={list}
            aria-label={label}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
            tabIndex={0}
            onKeyDown={move}
            onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
          >
            <div style={isWhole || isPrinting ? {} : { height: `${long}px` }}>
              {isNarrow ? (
                <Cards
                  {...{ rows, columns, cardHeading, shown, label, onSeen }}
                  usual={isWhole ? undefined : heights.usual}
                  top={isSmooth && !isWhole ? heights.top(first) : undefined}
                />
              ) : (
                <Table {...{ rows, columns, shown, isPrinting }} isBusy={isOpening} />
              )}
            </div>
          </section>
        )}
        {isEmpty && <div class="empty">{empty}</div>}
      </div>
    </>
  )
}

/** The heights of the cards of a list. What is seen stays where it is when cards above it are measured, and the end of a list its end. */
function useHeights(list: RefObject<HTMLElement | null>, rows: Rows<unknown>, width: number) {
  const heights = useMemo(() => new Heights(CARD), [rows, width])
  const [, setRound] = useState(0)
  const moved = useRef(0)
  const onSeen = (seen: ReadonlyMap<number, number>): void => {
    const { scrollTop = 0, clientHeight = 0 } = list.current ?? {}
    const before = heights.top(rows.count)
    const [first] = seen.keys()
    const below = (first ?? 0) + 1
    const end = heights.top(below)
    const isCut = heights.top(below - 1) < scrollTop
    const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= Math.floor(before)
    if (!heights.take(seen)) return
    moved.current += isAtEnd ? heights.top(rows.count) - before : isCut ? heights.top(below) - end : 0
    setRound((round) => round + 1)
  }
  useLayoutEffect(() => {
    if (moved.current === 0 || !list.current) return
    list.current.scrollTop += moved.current
    moved.current = 0
  })
  return { heights, onSeen }
}
