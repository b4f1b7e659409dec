import { useEffect, useState } from 'preact/hooks'
import { asRefusal, client, type GatehouseError } from '../server/server.ts'
import { type CheckIn, follow, type Statistics } from './feed.ts'

const LIST = '/api/v1/events/{event_id}/access_controls.json'
/** Newest check-ins that are looked through for refusals, when the page opens and after a gap. */
const LOOKED_THROUGH = 500
/** Refusals that are kept. */
const KEPT = 50

/** What the live page knows. */
export interface Live {
  /** Undefined until the first ones are there. */
  statistics?: Statistics
  /** The newest first. */
  refusals: readonly CheckIn[]
  isOpen: boolean
  /** Why the server refuses. */
  error?: GatehouseError | undefined
}

/** Follows an event while a component is shown. */
export function useLive(event_id: string): Live {
  const [live, setLive] = useState<Live>({ refusals: [], isOpen: false })
  useEffect(() => {
    const leaving = new AbortController()
    const change = (part: Partial<Live>): void => setLive((before) => ({ ...before, ...part }))
    const deleted = new Set<string>()
    const set = (refusals: (before: readonly CheckIn[]) => readonly CheckIn[]): void =>
      setLive((before) => ({
        ...before,
        refusals: refusalsOf(refusals(before.refusals).filter(({ _id }) => !deleted.has(_id))),
      }))
    const add = (checkIn: CheckIn): void => set((before) => [checkIn, ...before])
    const readNewest = async (): Promise<void> => {
      const params = { path: { event_id }, query: { per_page: LOOKED_THROUGH } }
      const { data } = await client.GET(LIST, { params, signal: leaving.signal })
      if (leaving.signal.aborted) return
      change({ error: undefined })
      // What was deleted during a gap is not among them any more.
      set((before) => [...data, ...before.filter((each) => !isBetween(each, data))])
    }
    const catchUp = (): void =>
      void readNewest().catch((error) => leaving.signal.aborted || change({ error: asRefusal(error) }))
    catchUp()
    const feed = follow(event_id, {
      onStatistics: (statistics) => change({ statistics }),
      onCheckIn: (checkIn) => checkIn.access_status !== 0 && add(checkIn),
      onDeletion: ({ _id }) => {
        deleted.add(_id)
        set((before) => before)
      },
      onGap: catchUp,
      onState: (isOpen) => change({ isOpen }),
    })
    return () => {
      leaving.abort()
      feed.stop()
    }
  }, [event_id])
  return live
}

/** Whether a check-in would be among the newest ones if it were still there: these are sorted, the newest first. */
function isBetween({ access_stamp }: CheckIn, newest: readonly CheckIn[]): boolean {
  const [first, last] = [newest[0], newest.at(-1)]
  return (
    first !== undefined && last !== undefined && access_stamp <= first.access_stamp && access_stamp >= last.access_stamp
  )
}

/** The refused ones among check-ins, each once, the newest first. */
function refusalsOf(checkIns: readonly CheckIn[]): CheckIn[] {
  const refused = checkIns.filter(({ access_status }) => access_status !== 0)
  const byId = new Map(refused.map((each) => [each._id, each]))
  return [...byId.values()].sort((one, other) => other.access_stamp.localeCompare(one.access_stamp)).slice(0, KEPT)
}
