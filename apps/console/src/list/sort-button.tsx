import type { ListColumn, Sorting } from './column.ts'

/** Sorts the rows by a column, the other way, and no longer. */
export function SortButton({ title, way, turn }: Sorting & { title: string }) {
  return (
    <button type="button" class={`sort ${way}`} onClick={turn}>
      {title}
    </button>
  )
}

/** The ways to sort cards, which have no headings of columns. */
export function SortButtons<Item>({ columns }: { columns: ListColumn<Item>[] }) {
  const sorted = columns.filter(({ sorting }) => sorting)
  if (sorted.length === 0) return null
  return (
    <div class="sorts">
      {sorted.map(({ name, title, sorting }) => (
        <SortButton key={name} title={title} {...(sorting as Sorting)} />
      ))}
    </div>
  )
}
