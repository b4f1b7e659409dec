import { useEffect, useMemo, useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { type Item, type PathParams, read } from '../server/server.ts'
import { Rows } from './rows.ts'

/** The rows of a list of the API. With other parameters or another query it reads others, and drops what comes for earlier ones. */
export function useRows(path: string, params: PathParams, query: PathParams = {}, expected = 0, round = 0): Rows<Item> {
  const [, setTick] = useState(0)
  const { paged } = declaredOf(path)
  const rows = useMemo(() => {
    const load = (page: number, size: number, signal: AbortSignal) =>
      read<Item[]>(path, params, { ...query, page, per_page: size }, signal)
    let whole: Promise<Item[]> | undefined
    const cut = async (page: number, size: number) => {
      whole ??= read<Item[]>(path, params, query).catch((error) => {
        whole = undefined
        throw error
      })
      return (await whole).slice((page - 1) * size, page * size)
    }
    return new Rows<Item>(paged ? load : cut, () => setTick((before) => before + 1), expected)
  }, [path, JSON.stringify([params, query]), round])
  useEffect(() => () => rows.close(), [rows])
  return rows
}
