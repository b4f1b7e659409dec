import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Document, deserialize, Long, ObjectId, serialize } from 'bson'
import { type Authentication, MECHANISM } from './authentication.ts'
import { fieldOf, fieldsOf, numberOf, withoutField } from './bson-fields.ts'
import { CODES, unpackCode } from './codes.ts'
import type { Cursors } from './cursors.ts'
import { checkDocumentedUse } from './documented-uses.ts'
import { duplicateOf, indexBehind } from './duplicates.ts'
import { bsonOf, type ColumnText, CommandError, type Engine } from './engine.ts'
import { explain } from './explain.ts'
import { type Command, MAX_MESSAGE_BYTES } from './messages.ts'
import { checkStableApi } from './stable-api.ts'
import { write } from './writes.ts'

/** The context of commands. */
export interface Context {
  engine: Engine
  cursors: Cursors
  authentication: Authentication
  /** That of the client's connection. */
  connectionId: number
  connections: () => number
  /** Told of each command, before it is checked. */
  record: (command: Command) => void
}

type CommandReply = Document | Buffer
type CommandHandler = (command: Command, context: Context) => Promise<CommandReply> | CommandReply

/** The protocol version of MongoDB 7: the newest whose commands are all supported here. */
const WIRE_VERSION = 21
const VERSION = '7.0.0'
const STARTED = Date.now()
const PROCESS_ID = new ObjectId()

/** Answers a command with a BSON document, also for failures; throws only when the engine is lost. */
export async function answer(command: Command, context: Context): Promise<Buffer> {
  try {
    context.authentication.check(command)
    context.record(command)
    checkStableApi(command)
    checkDocumentedUse(command)
    const handler = HANDLERS[command.name]
    if (!handler) throw new CommandError(CODES.commandNotFound, `no such command: '${command.name}'`)
    const reply = await handler(command, context)
    return Buffer.isBuffer(reply) ? reply : Buffer.from(serialize(reply))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return Buffer.from(serialize(await failure(error, command, context)))
  }
}

async function failure(error: CommandError, { db, collection }: Command, { engine }: Context): Promise<Document> {
  const { code, codeName } = error.code
  if (code !== CODES.duplicateKey.code || !collection) return { ok: 0, errmsg: error.message, code, codeName }
  const index = await indexBehind(engine, error)
  return { ok: 0, ...(await duplicateOf(engine, { db, collection, index })), codeName }
}

const find = firstPage('find_cursor_first_page')

const HANDLERS: Record<string, CommandHandler> = {
  insert: write('insert', 'documents'),
  update: write('update', 'updates'),
  delete: write('delete', 'deletes'),
  findAndModify,
  findandmodify: findAndModify,
  find,
  aggregate: firstPage('aggregate_cursor_first_page'),
  listIndexes: firstPage('list_indexes_cursor_first_page'),
  listCollections: firstPage('list_collections_cursor_first_page'),
  getMore,
  killCursors,
  count,
  distinct: call('distinct_query($1, $2)'),
  create: call('create_collection_view($1, $2)'),
  validate: call('validate($1, $2)'),
  collMod: call('coll_mod($1, $2, $3)', ({ db, collection, body }) => [db, collection, body]),
  collStats: call('coll_stats($1, $2, $3)', ({ db, collection, body }) => [db, collection, scale(body)]),
  dbStats: call('db_stats($1, $2)', ({ db, body }) => [db, scale(body)]),
  listDatabases: call('list_databases($1)', ({ body }) => [body]),
  renameCollection: call('rename_collection($1::documentdb_core.bson)', ({ body }) => [body]),
  createIndexes,
  dropIndexes: async ({ db, body }, { engine }) => {
    const [result] = await engine.callLong('CALL documentdb_api.drop_indexes($1, $2)', [db, body])
    return { ...deserialize(bsonOf(result)), ok: 1 }
  },
  drop: async ({ db, collection }, { engine }) => {
    await engine.call('drop', 'SELECT documentdb_api.drop_collection($1, $2)', [db, collection])
    return { ns: `${db}.${collection}`, ok: 1 }
  },
  dropDatabase: async ({ db }, { engine }) => {
    await engine.call('dropDatabase', 'SELECT documentdb_api.drop_database($1)', [db])
    return { dropped: db, ok: 1 }
  },
  explain: async ({ db, body }, { engine }) => {
    const { explain: command, verbosity = 'allPlansExecution' } = deserialize(body)
    return await explain(engine, db, command, verbosity)
  },
  hello: async (command, context) => ({ isWritablePrimary: true, ...(await hello(command, context)) }),
  isMaster: async (command, context) => ({ ismaster: true, ...(await hello(command, context)) }),
  ismaster: async (command, context) => ({ ismaster: true, ...(await hello(command, context)) }),
  ping: () => ({ ok: 1 }),
  endSessions: () => ({ ok: 1 }),
  buildInfo,
  buildinfo: buildInfo,
  saslStart: ({ body }, { authentication }) => authentication.start(deserialize(body)),
  saslContinue: (command, { authentication }) => authentication.continue(command),
  connectionStatus: (_, { authentication: { user, role } }) => {
    return { authInfo: { authenticatedUsers: [{ user, db: 'admin' }], authenticatedUserRoles: [role] }, ok: 1 }
  },
  getParameter: () => ({ featureCompatibilityVersion: { version: VERSION.slice(0, 3) }, ok: 1 }),
  getLog: () => ({ totalLinesWritten: 0, log: [], ok: 1 }),
  getCmdLineOpts: () => ({ argv: process.argv, parsed: {}, ok: 1 }),
  whatsmyuri: () => ({ you: '127.0.0.1', ok: 1 }),
  serverStatus: (_, { connections, cursors }) => ({
    host: hostname(),
    version: VERSION,
    process: 'gatehouse-mongod',
    pid: Long.fromNumber(process.pid),
    uptime: (Date.now() - STARTED) / 1000,
    localTime: new Date(),
    connections: { current: connections() },
    metrics: { cursor: { open: { total: cursors.size } } },
    ok: 1,
  }),
}

/**
 * A driver's monitor sends the version it knows, and waits for a change or a timeout. Nothing ever changes here, but the pending request lets the
 * monitor notice the end of the connection at once.
 */
async function hello(command: Command, { connectionId, authentication }: Context): Promise<Document> {
  const awaitMs = awaitTimeOf(command)
  if (awaitMs) await sleep(awaitMs, undefined, { ref: false })
  return {
    helloOk: true,
    maxBsonObjectSize: 16 * 1024 ** 2,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 25_000,
    localTime: new Date(),
    connectionId,
    topologyVersion: { processId: PROCESS_ID, counter: Long.ZERO },
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
    msg: 'Gatehouse on DocumentDB',
    ...signIn(command, authentication),
    ok: 1,
  }
}

/** The authentication part of a driver's first hello: the mechanisms of its user, and possibly the first step. */
function signIn({ body }: Command, authentication: Authentication): Document {
  const { saslSupportedMechs, speculativeAuthenticate } = deserialize(body)
  return {
    ...(saslSupportedMechs && { saslSupportedMechs: [MECHANISM] }),
    // Another mechanism gets no answer here, and is refused at `saslStart`.
    ...(speculativeAuthenticate?.mechanism === MECHANISM && {
      speculativeAuthenticate: authentication.start(speculativeAuthenticate),
    }),
  }
}

/** How long a monitor wants to wait for a change, in ms; undefined if it wants an immediate answer. */
function awaitTimeOf({ body }: Command): number | undefined {
  const awaitMs = numberOf(body, fieldOf(body, 'maxAwaitTimeMS'))
  return awaitMs && fieldOf(body, 'topologyVersion') ? Number(awaitMs) : undefined
}

/** Whether a command is answered repeatedly until the connection ends: a monitor treats a last answer as a failure. */
export function isMonitoring(command: Command): boolean {
  return command.exhaust && awaitTimeOf(command) !== undefined
}

function buildInfo(): Document {
  return {
    version: VERSION,
    versionArray: [...VERSION.split('.').map(Number), 0],
    gitVersion: 'none: this is DocumentDB behind a server of Gatehouse, not MongoDB',
    modules: [],
    bits: 64,
    maxBsonObjectSize: 16 * 1024 ** 2,
    ok: 1,
  }
}

/** A handler that passes database and command, or `valuesOf` the command, to a function and returns its result unchanged. */
function call(
  expression: string,
  valuesOf: (command: Command) => unknown[] = ({ db, body }) => [db, body],
): CommandHandler {
  const sql = `SELECT documentdb_api.${expression}`
  return async (command, { engine }) => one(await engine.call(expression, sql, valuesOf(command)))
}

function one([document]: ColumnText[]): Buffer {
  return bsonOf(document)
}

const COUNT = 'count_query($1, $2)'

/** Without a filter DocumentDB would give PostgreSQL's estimate, which is far off for a new collection; MongoDB's count is exact. */
async function count(command: Command, context: Context): Promise<CommandReply> {
  const { body } = command
  const query = fieldOf(body, 'query')
  const filtered = query !== undefined && body.readUInt32LE(query.start) > EMPTY_DOCUMENT_BYTES
  const exact = Buffer.from(
    serialize({ ...deserialize(withoutField(body, 'query')), query: { _id: { $exists: true } } }),
  )
  return await call(COUNT)(filtered ? command : { ...command, body: exact }, context)
}

const EMPTY_DOCUMENT_BYTES = 5

async function findAndModify({ db, body }: Command, { engine }: Context): Promise<Buffer> {
  const sql = 'SELECT p_result FROM documentdb_api.find_and_modify($1, $2)'
  return one(await engine.call('findAndModify', sql, [db, body]))
}

function firstPage(name: string): (command: Command, context: Context) => Promise<Buffer> {
  const sql = `SELECT cursorpage, continuation, cursorid FROM documentdb_api.${name}($1, $2)`
  return async ({ db, body, collection = '$cmd' }, { engine, cursors }) => {
    const [page, continuation, id] = await engine.call(name, sql, [db, body])
    if (continuation && id) cursors.keep(BigInt(id), { db, collection, continuation: bsonOf(continuation) })
    return bsonOf(page)
  }
}

async function getMore({ db, body }: Command, { engine, cursors }: Context): Promise<Buffer> {
  const id = numberOf(body, fieldOf(body, 'getMore'))
  const cursor = typeof id === 'bigint' ? cursors.take(id, db) : undefined
  if (typeof id !== 'bigint' || !cursor) throw new CommandError(CODES.cursorNotFound, `cursor id ${id} not found`)
  const sql = 'SELECT cursorpage, continuation FROM documentdb_api.cursor_get_more($1, $2, $3)'
  const [page, continuation] = await engine.call('getMore', sql, [db, body, cursor.continuation])
  if (continuation) cursors.keep(id, { ...cursor, continuation: bsonOf(continuation) })
  return bsonOf(page)
}

async function killCursors({ db, body }: Command, { engine, cursors }: Context): Promise<Document> {
  const { cursors: ids } = deserialize(body, { useBigInt64: true }) as { cursors: bigint[] }
  const known = ids.filter((id) => cursors.take(id, db))
  if (known.length) await engine.call('killCursors', DELETE_CURSORS, [known])
  return {
    cursorsKilled: known,
    cursorsNotFound: ids.filter((id) => !known.includes(id)),
    cursorsAlive: [],
    cursorsUnknown: [],
    ok: 1,
  }
}

/** Frees the resources of cursors in DocumentDB, by id. */
export const DELETE_CURSORS = 'SELECT documentdb_api_internal.delete_cursors($1)'

/**
 * DocumentDB queues index builds for a job that runs every few seconds. This does the job's work at once, and answers when the index is built, like
 * MongoDB. An empty collection needs no concurrent build, which opens further sessions.
 */
async function createIndexes(command: Command, context: Context): Promise<CommandReply> {
  const { db, body } = command
  const { engine } = context
  if (await isEmpty(command, context)) {
    const create = 'SELECT documentdb_api_internal.create_indexes_non_concurrently($1, $2, true)'
    const [result] = await engine.callLong(create, [db, body])
    return { ...shardOf(result), ok: 1 }
  }
  const create = 'SELECT retval, ok, requests FROM documentdb_api.create_indexes_background($1, $2)'
  const [result, ok, requests] = await engine.callLong(create, [db, body])
  if (ok !== 't') throw indexFailure(deserialize(bsonOf(result)))
  if (requests && [...fieldsOf(bsonOf(requests))].length) await build(engine, bsonOf(requests))
  return { ...shardOf(result), ok: 1 }
}

async function isEmpty(command: Command, context: Context): Promise<boolean> {
  const body = serialize({ find: command.collection, limit: 1, singleBatch: true, projection: { _id: 1 } })
  const page = await find({ ...command, body: Buffer.from(body) }, context)
  return deserialize(page).cursor.firstBatch.length === 0
}

function shardOf(result: ColumnText | undefined): Document {
  const raw = deserialize(bsonOf(result))
  return raw.raw?.defaultShard ?? raw
}

async function build(engine: Engine, requests: Buffer): Promise<void> {
  const check = 'SELECT retval, ok, complete FROM documentdb_api_internal.check_build_index_status($1)'
  while (true) {
    await engine.callLong('CALL documentdb_api_internal.build_index_concurrently(1)', [])
    const [result, ok, complete] = await engine.callLong(check, [requests])
    if (ok !== 't') throw indexFailure(deserialize(bsonOf(result)))
    if (complete === 't') return
    // Another session is building an index.
    await sleep(50)
  }
}

function indexFailure(result: Document): CommandError {
  const { code = 1, errmsg = 'the index could not be built' } = result.raw?.defaultShard ?? result
  return new CommandError(unpackCode(code) ?? { code, codeName: 'Error' }, errmsg)
}

function scale(body: Buffer): number {
  return Number(numberOf(body, fieldOf(body, 'scale')) ?? 1)
}
