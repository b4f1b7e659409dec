import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../view/problem.tsx'
import { Cards } from './cards.tsx'
import type { ListColumn } from './column.ts'
import type { Rows } from './rows.ts'
import { SortButtons } from './sort-button.tsx'
import { Table } from './table.tsx'
import { useIsNarrow } from './use-is-narrow.ts'

/** Pixels, as the style sheet has them. */
const ROW = 36
/** The height of a card until one was seen. */
const CARD = 72
/** Browsers lay out no element that is much higher. */
const HIGHEST = 10_000_000
/** How long scrolling has to rest before rows are asked for. */
const REST_MS = 60
/** Rows that stand for others until the first ones are there. */
const EXPECTED = 5
/** A list of at most so many cards has all of them in the document, each as high as it needs. */
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

/** A list that scrolls over any number of rows: a table, and cards in a narrow window. The document holds those that are seen. */
export function List<Item>({ label, rows, columns, cardHeading, empty }: Props<Item>) {
  const frame = useRef<HTMLDivElement>(null)
  const isNarrow = useIsNarrow()
  const [size, setSize] = useState({ width: 0, height: 0 })
  const [top, setTop] = useState(0)
  const [card, setCard] = useState(CARD)
  const { height } = size
  const [row, header] = isNarrow ? [card, 0] : [ROW, 1]
  const fitting = Math.max(1, Math.floor(height / row) - header)
  const beyond = Math.max(0, rows.count - fitting)
  const travel = Math.min(beyond * row, HIGHEST)
  // Cards move with the finger, which a table in rows of a line need not.
  const isSmooth = isNarrow && travel === beyond * row
  const step = travel === 0 ? 0 : (top / travel) * beyond
  const first = Math.min(beyond, isSmooth ? Math.floor(step) : Math.round(step))
  const isWhole = isNarrow && rows.isCounted && rows.count <= WHOLE
  const last = Math.min(rows.count, first + fitting + (isSmooth ? 1 : 0)) - 1

  useLayoutEffect(() => {
    const measured = frame.current as HTMLDivElement
    const observer = new ResizeObserver(() => setSize({ width: measured.clientWidth, height: measured.clientHeight }))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])
  useEffect(() => setCard(CARD), [size.width])
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
    if (travel === beyond * row || isPress || ctrlKey || altKey || metaKey || !rowsOf) return
    event.preventDefault()
    const next = Math.max(0, Math.min(beyond, first + rowsOf(fitting)))
    ;(currentTarget as HTMLElement).scrollTop = (next / beyond) * travel
  }

  const isEmpty = rows.isCounted && rows.count === 0
  const isOpening = !rows.isCounted && rows.count === 0 && !rows.error
  const count = isOpening ? EXPECTED : Math.max(0, last - first + 1)
  const shown = Array.from({ length: isWhole ? rows.count : count }, (_, index) => (isWhole ? 0 : first) + index)
  return (
    <>
      {rows.error && <Problem error={rows.error} retry={() => rows.retry(first, last)} />}
      {isNarrow && !isEmpty && <SortButtons columns={columns} />}
      <div class="frame" ref={frame}>
        {!isEmpty && (
          <section
            class="list"
            aria-label={label}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
            tabIndex={0}
            onKeyDown={move}
            onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
          >
            <div
              style={isWhole ? {} : { height: `${travel === 0 ? (shown.length + header) * row : travel + height}px` }}
            >
              {isNarrow ? (
                <Cards
                  {...{ rows, columns, cardHeading, shown, label }}
                  height={isWhole ? undefined : card}
                  top={isSmooth && !isWhole ? first * row : undefined}
                  onHigher={setCard}
                />
              ) : (
                <Table {...{ rows, columns, shown }} isBusy={isOpening} />
              )}
            </div>
          </section>
        )}
        {isEmpty && <div class="empty">{empty}</div>}
      </div>
    </>
  )
}
