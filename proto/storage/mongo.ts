import {
  type Collection,
  type Db,
  type Document,
  type Filter,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
  MongoServerError,
  type WriteError,
} from 'mongodb'
import { shared } from '../concurrency/shared.ts'
import { ConfigurationError } from '../process/config.ts'
import type { Log } from '../process/log.ts'
import { certificateProblem, untilConnected } from '../process/store-waiting.ts'
import { instruments } from '../telemetry/metrics.ts'
import { observedCommands, observeMongo } from '../telemetry/stores.ts'

/** The socket timeout of connections. */
const SOCKET_TIMEOUT_MS = 10_000

/** The gateway waits for a health check for one second. */
const PING_TIMEOUT_MS = 3_000

/** MongoDB keeps what is in it over its versions, and refuses a strict client all else. */
const STABLE_API = { version: '1', strict: true, deprecationErrors: true } as const

/** The limit for reads of a whole event: the store stops just before the socket timeout, instead of working on in vain. */
export const WHILE_AWAITED = { maxTimeMS: SOCKET_TIMEOUT_MS - 1_000 }

/** The error code of wrong credentials. */
const AUTHENTICATION_FAILED = 18
const DAY_SECONDS = 86_400
/** The error code of a collection that does not exist. */
const NAMESPACE_NOT_FOUND = 26

/** A service's own database. */
export interface Store {
  db: Db
  /** Resolves when the database answers, on a connection of its own; rejects after a few seconds. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database `<namespace>_<service>`; its operations fail after a few seconds. A process that gives its `log` waits for a server that
 * takes writes as long as it takes; others do not. Throws one sentence, without credentials, for a wrong address or wrong credentials.
 */
export async function openStore(url: string, namespace: string, service: string, log?: Log): Promise<Store> {
  const common = {
    appName: `${namespace}-${service}`,
    connectTimeoutMS: 3_000,
    serverSelectionTimeoutMS: 3_000,
    serverApi: STABLE_API,
  }
  const client = mongoClient(url, {
    ...common,
    maxPoolSize: 16,
    // A dead socket must not block the door's flush for ever. (The driver ignores `timeoutMS`.)
    socketTimeoutMS: SOCKET_TIMEOUT_MS,
    writeConcern: { w: 'majority' },
    ignoreUndefined: true,
    ...observedCommands(),
  })
  observeMongo(client)
  // A second try: the first may time out only because the machine stood still.
  if (log) await untilConnected({ store: 'MongoDB', log, hopelessness, connect: () => client.connect() })
  else await client.connect().catch(() => client.connect())
  const db = client.db(`${namespace}_${service}`)
  // Requests may occupy all other connections for a while. It connects with the first ping.
  const pinger = mongoClient(url, { ...common, maxPoolSize: 1, socketTimeoutMS: PING_TIMEOUT_MS })
  let isClosed = false
  return {
    db,
    ping: shared(async () => {
      // A client whose first connection fails makes none by itself any more; one that is closed would be opened again.
      if (!isClosed) await pinger.connect()
      await pinger.db(db.databaseName).command({ ping: 1 })
    }),
    close: async () => {
      isClosed = true
      await Promise.all([client.close(), pinger.close()])
    },
  }
}

/** A client that is not connected yet. Throws one sentence for an address that it cannot read. */
function mongoClient(url: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(url, options)
  } catch (error) {
    // The message names parts of the address, but not its password.
    throw new ConfigurationError(`MONGODB_URL: ${(error as Error).message}`)
  }
}

/** Why another attempt to connect would end the same; undefined if it might not. */
function hopelessness(error: Error): string | undefined {
  if (error instanceof MongoServerError && error.code === AUTHENTICATION_FAILED)
    return 'MongoDB rejects the credentials in MONGODB_URL; correct them'
  return certificateProblem('MONGODB_URL', error)
}

/** The store itself, once its indexes are there. */
export async function prepared<S extends { prepare(): Promise<void> }>(store: S): Promise<S> {
  await store.prepare()
  return store
}

/**
 * Makes documents of a collection expire some days after a time that they hold, by an index. If it was made for other days, stored documents
 * too expire by the new ones.
 */
export async function expireAfterDays(db: Db, collection: string, field: string, days: number): Promise<void> {
  const expireAfterSeconds = days * DAY_SECONDS
  const documents = db.collection(collection)
  const known = await documents.listIndexes().toArray().catch(ifThereIsNone)
  const index = known.find(({ name }) => name === `${field}_1`)
  if (!index) await documents.createIndex({ [field]: 1 }, { expireAfterSeconds })
  else if (index.expireAfterSeconds !== expireAfterSeconds) {
    await db.command({ collMod: collection, index: { name: index.name, expireAfterSeconds } })
  }
}

function ifThereIsNone(error: unknown): Document[] {
  if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return []
  throw error
}

/** The different values of a field in the matching documents. MongoDB's `distinct` is not in its stable API. */
export async function distinctValues<T extends Document, F extends keyof T & string>(
  collection: Collection<T>,
  field: F,
  filter: Filter<T>,
): Promise<T[F][]> {
  const groups = collection.aggregate<{ _id: T[F] }>([{ $match: filter }, { $group: { _id: `$${field}` } }])
  return (await groups.toArray()).map(({ _id }) => _id)
}

/** The error code of a write that a unique index refused. */
export const DUPLICATE_KEY = 11000
/** The error code of a write conflict. */
export const WRITE_CONFLICT = 112

/** Whether a unique index refused the write; with `index`, this index (`_id_` for the id). */
export function isDuplicate(error: unknown, index?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false
  return index === undefined || indexOf(error.message) === index
}

/**
 * Whether an error is a write conflict, of one of many writes too; DocumentDB may report one where MongoDB reports a duplicate key.
 */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof MongoServerError)) return false
  return error.code === WRITE_CONFLICT || writeErrorsOf(error).some(({ code }) => code === WRITE_CONFLICT)
}

/** The number of write conflicts after which something else must be wrong. */
const DECIDE_TRIES = 20

/** Does a write under a unique index, and retries it after a conflict: by then the other write is stored or given up. */
export async function untilDecided<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (!isConflict(error) || attempt === DECIDE_TRIES) throw error
      instruments.retries.add(1, { kind: 'write_conflict' })
    }
  }
}

/** The result of a write; undefined if a unique index refused it. */
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
 * Inserts a document whose `_id` may come from an `Idempotency-Key`, and returns the stored document, which may be that of an earlier try. Retries
 * after a write conflict. Throws if another unique index refuses it.
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

/** The errors of an unordered `insertMany` by document; undefined if it is unknown which documents are stored. */
export function writeErrorsOf(error: unknown): WriteError[] {
  return error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
}

/**
 * As {@link insertOnce}, for many documents: gives each document as stored, or undefined if a unique index refused it. Throws on any other
 * error; then it is unknown which documents are stored.
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
