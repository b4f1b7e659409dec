import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Bone } from '../view/skeleton.tsx'
import type { ListColumn } from './column.ts'
import type { Rows } from './rows.ts'
import { SortButton } from './sort-button.tsx'
import { type ColumnWidth, fitted, NARROWED, WIDEST } from './widths.ts'

/** The padding of a cell on both sides, as the style sheet has it. */
const PADDING = 24
/** The parts of a browser's pixel. */
const ROUNDING = 1
/** Of a column of which nothing was seen. */
const NOTHING: ColumnWidth = { wanted: 0, least: 0 }

interface Props<Item> {
  rows: Rows<Item>
  columns: ListColumn<Item>[]
  shown: number[]
  isBusy: boolean
  /** Whether the browser divides the room among the columns. */
  isPrinting: boolean
}

/** The rows that are seen as a table, whose columns are as wide as what was seen in them, as far as there is room. */
export function Table<Item>({ rows, columns, shown, isBusy, isPrinting }: Props<Item>) {
  const table = useRef<HTMLTableElement>(null)
  const { widths: fitting, room } = useWidths(table, columns)
  const widths: Record<string, number> = isPrinting ? {} : fitting
  const last = columns.at(-1)
  /** What a cell holds. Numbers of the last column, which is as wide as the window leaves it, stay below their heading. */
  const held = (column: ListColumn<Item>, content: ComponentChildren): ComponentChildren =>
    column === last && column.isNumeric && !isPrinting ? (
      <span class="figure" style={{ minWidth: `${(widths[column.name] ?? 0) - PADDING - ROUNDING}px` }}>
        {content}
      </span>
    ) : (
      content
    )
  const least = Object.values(widths).reduce((sum, width) => sum + width, 0)
  return (
    <table
      ref={table}
      class={least > room ? 'beyond' : ''}
      aria-rowcount={rows.isCounted ? rows.count + 1 : -1}
      style={{ minWidth: `${least}px` }}
    >
      <colgroup>
        {columns.map(({ name }) => (
          // The last one takes what the others leave: a tick would otherwise be as wide as a name.
          <col key={name} style={name === last?.name || isPrinting ? {} : { width: `${widths[name] ?? 0}px` }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => {
            const { name, title, heading = title, sorting } = column
            return (
              <th key={name} scope="col" class={classOf(column)} {...(sorting && { 'aria-sort': sorting.way })}>
                {held(column, sorting ? <SortButton title={title} {...sorting} /> : heading)}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody aria-busy={isBusy}>
        {shown.map((index) => {
          const item = rows.at(index)
          return (
            <tr key={index} aria-rowindex={index + 2}>
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)}>
                  {held(column, item ? column.show(item) : !column.isTick && <Bone />)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function classOf({ isNumeric, isTick, isBare }: Pick<ListColumn<unknown>, 'isNumeric' | 'isTick' | 'isBare'>): string {
  return isTick ? 'ticked' : isNumeric ? 'number' : isBare ? 'row-acts' : ''
}

/** The widths of columns, and the room for all of them. What was seen in a column makes it wider, and nothing narrower: rows that scroll by move no column to and fro. */
function useWidths<Item>(
  table: RefObject<HTMLTableElement | null>,
  columns: ListColumn<Item>[],
): { widths: Record<string, number>; room: number } {
  const [seen, setSeen] = useState<Record<string, ColumnWidth>>({})
  const [room, setRoom] = useState(0)
  const names = columns.map(({ name }) => name)
  useLayoutEffect(() => {
    const measured = table.current as HTMLTableElement
    const measure = (): void => setSeen((before) => grown(before, columns, measured))
    measure()
    // Names of guests come after their rows.
    const observer = new MutationObserver(measure)
    observer.observe(measured, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [names.join()])
  useLayoutEffect(() => {
    const list = table.current?.closest('.list') as HTMLElement
    const measure = (): void => setRoom(list.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(list)
    return () => observer.disconnect()
  }, [])
  const widths = fitted(
    names.map((name) => seen[name] ?? NOTHING),
    room,
  )
  return { widths: Object.fromEntries(names.map((name, index) => [name, widths[index] ?? 0])), room }
}

function grown(
  before: Record<string, ColumnWidth>,
  columns: readonly Pick<ListColumn<unknown>, 'name' | 'isWhole'>[],
  table: HTMLTableElement,
): Record<string, ColumnWidth> {
  const after = { ...before }
  for (const { cells } of table.rows)
    for (const [index, cell] of [...cells].entries()) {
      const { name = '', isWhole = false } = columns[index] ?? {}
      // What is asked lies above the other columns.
      if (cell.querySelector('.asking')) continue
      const { wanted, least } = widthOf(cell, isWhole)
      const known = after[name] ?? NOTHING
      if (wanted > known.wanted || least > known.least)
        after[name] = { wanted: Math.max(wanted, known.wanted), least: Math.max(least, known.least), isWhole }
    }
  return columns.some(({ name }) => after[name] !== before[name]) ? after : before
}

/** How wide a cell is to be: whole, if its column is, or if it has a time, a button or one word, such as an e-mail address. */
function widthOf(cell: HTMLTableCellElement, isOfWhole: boolean): ColumnWidth {
  const range = document.createRange()
  range.selectNodeContents(cell)
  const wanted = Math.ceil(range.getBoundingClientRect().width) + PADDING + ROUNDING
  const isWhole = isOfWhole || cell.querySelector('time, button') || !/\s/.test(cell.textContent)
  return { wanted, least: Math.min(wanted, isWhole ? WIDEST : NARROWED) }
}
