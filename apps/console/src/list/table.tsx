import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Bone } from '../view/skeleton.tsx'
import type { ListColumn } from './column.ts'
import type { Rows } from './rows.ts'
import { SortButton } from './sort-button.tsx'

/** The padding of a cell on both sides, as the style sheet has it. */
const PADDING = 24
/** A column is at most as wide as a long e-mail address: what is longer is cut. */
const WIDEST = 480
/** The parts of a browser's pixel. */
const ROUNDING = 1

interface Props<Item> {
  rows: Rows<Item>
  columns: ListColumn<Item>[]
  shown: number[]
  isBusy: boolean
}

/** The rows that are seen as a table, whose columns are as wide as what was seen in them. */
export function Table<Item>({ rows, columns, shown, isBusy }: Props<Item>) {
  const table = useRef<HTMLTableElement>(null)
  const widths = useWidths(table, columns)
  const last = columns.at(-1)
  /** What a cell holds. Numbers of the last column, which is as wide as the window leaves it, stay below their heading. */
  const held = (column: ListColumn<Item>, content: ComponentChildren): ComponentChildren =>
    column === last && column.isNumeric ? (
      <span class="figure" style={{ minWidth: `${(widths[column.name] ?? 0) - PADDING - ROUNDING}px` }}>
        {content}
      </span>
    ) : (
      content
    )
  const least = columns.reduce((sum, { name }) => sum + (widths[name] ?? 0), 0)
  return (
    <table ref={table} aria-rowcount={rows.isCounted ? rows.count + 1 : -1} style={{ minWidth: `${least}px` }}>
      <colgroup>
        {columns.map(({ name }, index) => (
          // The last one takes what the others leave: a tick would otherwise be as wide as a name.
          <col key={name} style={index < columns.length - 1 ? { width: `${widths[name] ?? 0}px` } : {}} />
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

/** The widths of columns. They only grow: rows that scroll by move no column to and fro. */
function useWidths<Item>(
  table: RefObject<HTMLTableElement | null>,
  columns: ListColumn<Item>[],
): Record<string, number> {
  const [widths, setWidths] = useState<Record<string, number>>({})
  const names = columns.map(({ name }) => name)
  useLayoutEffect(() => {
    const measured = table.current as HTMLTableElement
    const measure = (): void => setWidths((before) => grown(before, names, measured))
    measure()
    // Names of guests come after their rows.
    const observer = new MutationObserver(measure)
    observer.observe(measured, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [names.join()])
  return widths
}

function grown(before: Record<string, number>, names: string[], table: HTMLTableElement): Record<string, number> {
  const after = { ...before }
  const range = document.createRange()
  for (const { cells } of table.rows)
    for (const [index, cell] of [...cells].entries()) {
      const name = names[index] ?? ''
      // What is asked lies above the other columns.
      if (cell.querySelector('.asking')) continue
      range.selectNodeContents(cell)
      const wanted = Math.ceil(range.getBoundingClientRect().width) + PADDING + ROUNDING
      after[name] = Math.max(after[name] ?? 0, Math.min(WIDEST, wanted))
    }
  return names.some((name) => after[name] !== before[name]) ? after : before
}
