import type { Sorting } from '../list/column.ts'
import type { ConsoleResource } from '../resources/resource.ts'
import type { AddressQuery } from '../route/route.ts'

/** What sorts a list, in its address and in the API. */
export const SORT = 'sort'

/** How a list is sorted by a column; undefined if it cannot be. Each press leads to the other way, and from there to the list's own order. */
export function sortingOf(
  { sorts, sort: usual }: ConsoleResource,
  column: string,
  query: AddressQuery,
  replace: (query: AddressQuery) => void,
): Sorting | undefined {
  const first = sorts.find((each) => each.replace(/^-/, '') === column)
  if (first === undefined) return undefined
  const second = first.startsWith('-') ? column : `-${column}`
  const { [SORT]: now = usual, ...others } = query
  const next = now === first ? second : now === second ? usual : first
  return {
    way: now === column ? 'ascending' : now === `-${column}` ? 'descending' : 'none',
    turn: () => replace({ ...others, ...(next !== undefined && next !== usual && { [SORT]: next }) }),
  }
}
