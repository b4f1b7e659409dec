import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { mapped } from '../declared/declared.ts'
import { Bone } from '../view/skeleton.tsx'
import { PADDING, ROUNDING, widthOf } from './cell-width.ts'
import type { ListColumn } from './column.ts'
import type { Rows } from './rows.ts'
import { SortButton } from './sort-button.tsx'
import { type ColumnWidth, fitted } from './widths.ts'

/** Of a column of which nothing was seen. */
const NOTHING: ColumnWidth = { wanted: 0, wantedFolded: 0, leastFolded: 0, unfolded: 0 }
/** The class of a table whose cells have two lines. */
const TWO_LINES = 'folded'

interface Props<Item> {
  rows: Rows<Item>
  columns: ListColumn<Item>[]
  shown: number[]
  isBusy: boolean
  /** Whether the browser divides the room among the columns. */
  isPrinting: boolean
}

/** The rows that are seen as a table, whose columns are as wide as what was seen in them, as far as there is room: where that helps, what is long has two lines. */
export function Table<Item>({ rows, columns, shown, isBusy, isPrinting }: Props<Item>) {
  const table = useRef<HTMLTableElement>(null)
  const { widths: fitting, room, isFolded } = useWidths(table, columns)
  const widths: Record<string, number> = isPrinting ? {} : fitting
  const last = columns.at(-1)
  /** What a cell holds. Numbers of the last column, which is as wide as the window leaves it, stay below their heading. */
  const held = (column: ListColumn<Item>, content: ComponentChildren): ComponentChildren => {
    if (column.isTick || column.isBare) return content
    const isFigure = column === last && column.isNumeric && !isPrinting
    const minWidth = isFigure ? `${(widths[column.name] ?? 0) - PADDING - ROUNDING}px` : undefined
    return (
      <span class={isFigure ? 'held figure' : 'held'} style={{ minWidth }}>
        {content}
      </span>
    )
  }
  const least = Object.values(widths).reduce((sum, width) => sum + width, 0)
  return (
    <table
      ref={table}
      class={isPrinting ? '' : `${isFolded ? TWO_LINES : ''} ${least > room ? 'beyond' : ''}`}
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
): { widths: Record<string, number>; room: number; isFolded: boolean } {
  const [seen, setSeen] = useState<Record<string, ColumnWidth>>({})
  const [room, setRoom] = useState(0)
  const names = columns.map(({ name }) => name)
  useLayoutEffect(() => {
    const measured = table.current as HTMLTableElement
    const measure = (): void => {
      // Every text in one line.
      const isFolded = measured.classList.contains(TWO_LINES)
      measured.classList.remove(TWO_LINES)
      const now = widthsIn(measured, columns)
      setSeen((before) => grown(before, now))
      measured.classList.toggle(TWO_LINES, isFolded)
    }
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
  const { widths, isFolded } = fitted(
    names.map((name) => seen[name] ?? NOTHING),
    room,
  )
  return { widths: Object.fromEntries(names.map((name, index) => [name, widths[index] ?? 0])), room, isFolded }
}

function grown(before: Record<string, ColumnWidth>, now: Record<string, ColumnWidth>): Record<string, ColumnWidth> {
  const after = { ...before, ...mapped(now, (width, name) => wider(before[name], width)) }
  return Object.keys(now).some((name) => after[name] !== before[name]) ? after : before
}

/** What was seen in each column. */
function widthsIn(
  table: HTMLTableElement,
  columns: readonly Pick<ListColumn<unknown>, 'name' | 'isWhole'>[],
): Record<string, ColumnWidth> {
  const widths: Record<string, ColumnWidth> = {}
  for (const { cells } of table.rows)
    for (const [index, cell] of [...cells].entries()) {
      const { name = '', isWhole = false } = columns[index] ?? {}
      // What is asked lies above the whole page.
      if (!cell.querySelector('.asking')) widths[name] = wider(widths[name], widthOf(cell, isWhole))
    }
  return widths
}

/** The wider of two widths, by each of their numbers; the first one itself if it is. */
function wider(one: ColumnWidth = NOTHING, other: ColumnWidth): ColumnWidth {
  const sizes = ['wanted', 'wantedFolded', 'leastFolded', 'unfolded'] as const
  if (sizes.every((size) => one[size] >= other[size])) return one
  const most = sizes.map((size) => [size, Math.max(one[size], other[size])] as const)
  return {
    isWhole: !!(one.isWhole || other.isWhole),
    ...(Object.fromEntries(most) as Record<(typeof sizes)[number], number>),
  }
}
