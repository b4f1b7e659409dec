import { useEffect, useRef, useState } from 'preact/hooks'
import { asRefusal, type GatehouseError, type Item, type PathParams, read } from '../../server/server.ts'
import { nameOf } from '../../view/names.ts'

const LIST = '/api/v1/events/{event_id}/guests.json'
/** The most that the API gives at once. */
const PAGE = 500

/** What is kept of a selected guest: a hundred thousand may be selected. */
export interface SelectedGuest {
  _id: string
  uid: string
  name: string
}

/** The selected guests by id. */
export type Selected = ReadonlyMap<string, SelectedGuest>

/** Which guests are selected, and what selects others. */
export interface Selection {
  selected: Selected
  /** Whether these are all whom a query has found, and nobody was turned on or off since. */
  isAll: boolean
  select: (selected: Selected) => void
  turn: (guest: Item, isOn: boolean) => void
  /** Selects all whom the query finds, besides those who are selected. */
  selectAll: (query: object) => void
  /** How many were read so far, while all are being selected. */
  reading: number | undefined
  stop: () => void
  error: GatehouseError | undefined
}

const NOBODY = { selected: new Map(), isAll: false }

/** The guests of an event that someone has selected, on whichever page of the list they are. */
export function useSelection(event_id: string): Selection {
  const [{ selected, isAll }, setSelection] = useState<Pick<Selection, 'selected' | 'isAll'>>(NOBODY)
  const select = (selected: Selected): void => setSelection({ selected, isAll: false })
  const [reading, setReading] = useState<number>()
  const [error, setError] = useState<GatehouseError>()
  const stopping = useRef<AbortController>(undefined)
  const stop = (): void => stopping.current?.abort()
  useEffect(() => stop, [])
  const selectAll = async (query: object): Promise<void> => {
    stop()
    const stopped = new AbortController()
    stopping.current = stopped
    setError(undefined)
    setReading(0)
    try {
      const found = new Map(selected)
      // By creation: who comes meanwhile is on the last page, and moves nobody to another one.
      for await (const page of pagesOf({ event_id }, { ...query, sort: 'created_at' }, stopped.signal)) {
        for (const guest of page) found.set(String(guest._id), selectedOf(guest))
        setReading(found.size)
      }
      setSelection({ selected: found, isAll: found.size > 0 })
    } catch (problem) {
      if (!stopped.signal.aborted) setError(asRefusal(problem))
    }
    if (stopping.current === stopped) setReading(undefined)
  }
  const turn = (guest: Item, isOn: boolean): void => {
    const next = new Map(selected)
    if (isOn) next.set(String(guest._id), selectedOf(guest))
    else next.delete(String(guest._id))
    select(next)
  }
  return { selected, isAll, select, turn, selectAll: (query) => void selectAll(query), reading, stop, error }
}

/** The pages of a list of guests, from the first to the last. */
export async function* pagesOf(params: PathParams, query: object, signal?: AbortSignal): AsyncGenerator<Item[]> {
  for (let page = 1; ; page++) {
    const found = await read<Item[]>(LIST, params, { ...query, page, per_page: PAGE }, signal)
    yield found
    if (found.length < PAGE) return
  }
}

function selectedOf(guest: Item): SelectedGuest {
  return { _id: String(guest._id), uid: String(guest.uid), name: nameOf(guest) }
}
