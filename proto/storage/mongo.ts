import {
  type Collection,
  type Db,
  type Document,
  type Filter,
  MongoBulkWriteError,
  MongoClient,
  MongoServerError,
  type WriteError,
} from 'mongodb'

/** How long a store may be silent before its connection is given up. */
const SOCKET_TIMEOUT_MS = 10_000

/** A ping that takes longer has failed: whoever asks waits for a second. */
const PING_TIMEOUT_MS = 3_000

/** For what may read a whole event: the store stops a moment before the connection is given up, rather than work on for nobody. */
export const WHILE_AWAITED = { maxTimeMS: SOCKET_TIMEOUT_MS - 1_000 }

/** A service's own database. */
export interface Store {
  db: Db
  /** Resolves when the database answers, on a connection that no request takes; rejects after a few seconds. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Opens the database `<namespace>_<service>`; nothing hangs on it for longer than a few seconds. */
export async function openStore(url: string, namespace: string, service: string): Promise<Store> {
  const common = { appName: `${namespace}-${service}`, connectTimeoutMS: 3_000, serverSelectionTimeoutMS: 3_000 }
  const client = new MongoClient(url, {
    ...common,
    maxPoolSize: 16,
    // A socket that died unnoticed must not hold the door's flush for ever. (The driver ignores `timeoutMS`.)
    socketTimeoutMS: SOCKET_TIMEOUT_MS,
    writeConcern: { w: 'majority' },
    ignoreUndefined: true,
  })
  // Once more: a machine that stood still for as long as a try may take says nothing of the database.
  await client.connect().catch(() => client.connect())
  const db = client.db(`${namespace}_${service}`)
  // Requests may take all of the other connections for a while. It connects with the first ping.
  const pinger = new MongoClient(url, { ...common, maxPoolSize: 1, socketTimeoutMS: PING_TIMEOUT_MS })
  let pinging: Promise<void> | undefined
  const ping = async (): Promise<void> => {
    await pinger.db(db.databaseName).command({ ping: 1 })
  }
  return {
    db,
    // One at a time, however many ask.
    ping: () =>
      (pinging ??= ping().finally(() => {
        pinging = undefined
      })),
    close: async () => {
      await Promise.all([client.close(), pinger.close()])
    },
  }
}

/** The code of a write that a unique index refused. */
export const DUPLICATE_KEY = 11000
/** The code of a write that met another one of the same document or key. */
export const WRITE_CONFLICT = 112

/** Whether an error says that a unique index refused the write; with `index`, that very index (`_id_` for the id). */
export function isDuplicate(error: unknown, index?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false
  return index === undefined || indexOf(error.message) === index
}

/**
 * Whether an error says that a write met another one, or one of many did; DocumentDB may say so where MongoDB says that a key is taken.
 */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof MongoServerError)) return false
  return error.code === WRITE_CONFLICT || writeErrorsOf(error).some(({ code }) => code === WRITE_CONFLICT)
}

/** How often a write may meet another one before something else must be wrong. */
const DECIDE_TRIES = 20

/** A write under a unique index, done again where it met another one of the same key: that one is stored by then, or given up. */
export async function untilDecided<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (!isConflict(error) || attempt === DECIDE_TRIES) throw error
    }
  }
}

/** What a write gives, or undefined where a unique index refused it. */
export async function unlessTaken<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (isDuplicate(error)) return undefined
    throw error
  }
}

/** The index that a duplicate-key message names. */
export function indexOf(message: string): string | undefined {
  return /index: (\S+)/.exec(message)?.[1]
}

/**
 * Inserts a document whose `_id` may come from an `Idempotency-Key`: where an earlier try has already stored it, gives
 * what is stored. An insert that met another one of the same key is done again. Throws on any other unique index.
 */
export async function insertOnce<T extends Document & { _id: string }>(
  collection: Collection<T>,
  document: T,
): Promise<T> {
  try {
    await untilDecided(() => collection.insertOne(document as Parameters<Collection<T>['insertOne']>[0]))
    return document
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const stored = await collection.findOne({ _id: document._id } as Parameters<Collection<T>['findOne']>[0])
    if (!stored) throw error
    return stored as unknown as T
  }
}

/** What an unordered `insertMany` says of single documents; nothing where it is not known what was stored of any. */
export function writeErrorsOf(error: unknown): WriteError[] {
  return error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
}

/**
 * As {@link insertOnce}, for many in one go: each document, or what an earlier try stored under its `_id`, or undefined where a unique
 * index refused it. Throws on any other error; it is not known then what was stored.
 */
export async function insertEachOnce<T extends Document & { _id: string }>(
  collection: Collection<T>,
  documents: T[],
): Promise<(T | undefined)[]> {
  const refused = new Set<number>()
  const given = documents as unknown as Parameters<Collection<T>['insertMany']>[0]
  try {
    await untilDecided(() => collection.insertMany(given, { ordered: false }))
    return documents
  } catch (error) {
    const errors = writeErrorsOf(error)
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error
    for (const { index } of errors) refused.add(index)
  }
  const ids = [...refused].map((index) => documents[index]?._id)
  const wanted = { _id: { $in: ids } } as Filter<T>
  const stored = await collection.find(wanted).toArray()
  const byId = new Map((stored as unknown as T[]).map((document) => [document._id, document]))
  return documents.map((document, index) => (refused.has(index) ? byId.get(document._id) : document))
}
