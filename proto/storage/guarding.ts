import type { Collection, Db, Document } from 'mongodb'

const WRITES = [
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany', 'bulkWrite'],
  ...['findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete'],
] as const

/** A database in which each write that names an event is checked first: `check` throws what refuses it. */
export function guarded(db: Db, check: (event_id: string) => void): Db {
  const collection = (...args: Parameters<Db['collection']>) => {
    const found = db.collection(...args)
    for (const name of WRITES) guard(found as Collection & Record<string, Write>, name, check)
    return found
  }
  return Object.assign(Object.create(db), { collection }) as Db
}

type Write = (first: Document | Document[], ...others: unknown[]) => Promise<unknown>

function guard(collection: Collection & Record<string, Write>, name: string, check: (event_id: string) => void): void {
  const write = collection[name]?.bind(collection) as Write
  const guardedWrite: Write = async (first, ...others) => {
    for (const each of [first].flat()) {
      const event_id = eventOf(each)
      if (typeof event_id === 'string') check(event_id)
    }
    return write(first, ...others)
  }
  Object.assign(collection, { [name]: guardedWrite })
}

/** The event of a document, of a filter, or of an operation of many. */
function eventOf(given: Document): unknown {
  if ('event_id' in given) return given.event_id
  const [operation] = Object.values(given) as [Document | undefined]
  return operation?.document?.event_id ?? operation?.filter?.event_id ?? operation?.replacement?.event_id
}
