import type { Cell, CellService } from './cells.ts'

/** Most documents that are read at once. */
const PAGE = 2_000

/** Whose data is copied. */
export interface Whose {
  account_id: string
  event_ids: string[]
}

/** What a comparison has found. */
export interface Copied {
  /** Documents that differed. */
  different: number
  /** Whether each of them was copied or removed then. */
  isAll: boolean
}

/** Makes what the services of a cell hold of an account what those of another hold. */
export async function copyOnce(from: Cell, to: Cell, whose: Whose): Promise<Copied> {
  const copied = await Promise.all(from.services.map((each) => copyService(each, serviceOf(to, each.name), whose)))
  return {
    different: copied.reduce((sum, { different }) => sum + different, 0),
    isAll: copied.every(({ isAll }) => isAll),
  }
}

async function copyService(from: CellService, to: CellService, whose: Whose): Promise<Copied> {
  const [there, here] = await Promise.all([heldBy(from, whose), heldBy(to, whose)])
  let different = 0
  let done = 0
  for (const collection of new Set([...there.keys(), ...here.keys()])) {
    const wanted = there.get(collection) ?? new Map<string, string>()
    const held = here.get(collection) ?? new Map<string, string>()
    const others = [...held].flatMap(([_id, digest]) => (wanted.get(_id) === digest ? [] : [_id]))
    const missing = [...wanted].flatMap(([_id, digest]) => (held.get(_id) === digest ? [] : [_id]))
    different += others.length + missing.length
    done += await removeAll(to, collection, others, whose)
    for (const ids of pagesOf(missing)) {
      const { documents } = await from.data.read({ body: { ...whose, collection, ids } })
      const { stored } = await to.data.put({ body: { ...whose, collection, ids: [], documents } })
      done += stored
    }
  }
  return { different, isAll: done === different }
}

/** What a service holds: by collection the hash of each document. */
async function heldBy({ data }: CellService, whose: Whose): Promise<Map<string, Map<string, string>>> {
  const { lines } = await data.hashes({ body: whose })
  const held = new Map<string, Map<string, string>>()
  for (const line of lines === '' ? [] : lines.split('\n')) {
    const [collection = '', digest = ''] = line.split(' ', 2)
    held.getOrInsertComputed(collection, () => new Map()).set(line.slice(collection.length + digest.length + 2), digest)
  }
  return held
}

async function removeAll({ data }: CellService, collection: string, all: string[], whose: Whose): Promise<number> {
  let count = 0
  for (const ids of pagesOf(all)) {
    const { removed } = await data.put({ body: { ...whose, collection, ids, documents: '' } })
    count += removed
  }
  return count
}

function pagesOf(ids: string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, page) => ids.slice(page * PAGE, (page + 1) * PAGE))
}

/** Deletes what a cell holds of an account that is not at home there; its events last, which say what there is. */
export async function erase(cell: Cell, whose: Whose): Promise<void> {
  const [last, ...others] = [EVENTS, ...cell.services.map(({ name }) => name).filter((name) => name !== EVENTS)]
  for (const name of [...others, last]) {
    const service = serviceOf(cell, name)
    for (const [collection, held] of await heldBy(service, whose))
      await removeAll(service, collection, [...held.keys()], whose)
  }
}

/** The service that knows which events an account has. */
const EVENTS = 'guests'

/** The ids of an account's events. */
export async function eventsOf(cell: Cell, account_id: string): Promise<string[]> {
  const held = await heldBy(serviceOf(cell, EVENTS), { account_id, event_ids: [] })
  return [...(held.get('events')?.keys() ?? [])]
}

/** A service of a cell. */
export function serviceOf({ services }: Cell, name: string): CellService {
  const found = services.find((each) => each.name === name)
  if (!found) throw new Error(`There is no service ${name}`)
  return found
}
