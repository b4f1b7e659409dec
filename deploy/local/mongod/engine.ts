import pg from 'pg'
import { CODES, codeOf, type MongoErrorCode } from './codes.ts'

/** A value of a result, as text. */
export type ColumnText = string | null

/** An error of DocumentDB: MongoDB's code and a message for the client. `constraint` is that of a violated index. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly code: MongoErrorCode
  readonly constraint: string | undefined

  constructor(code: MongoErrorCode, message: string, constraint?: string) {
    super(message)
    this.code = code
    this.constraint = constraint
  }
}

/** PostgreSQL was lost during a command; it is unknown whether the command took effect, as after the loss of a mongod. */
export class EngineLostError extends Error {
  override name = 'EngineLostError'
}

/** Options of the engine; the address of PostgreSQL comes from PG* variables. */
export interface EngineOptions {
  /** Maximum of sessions. */
  sessions: number
  /** The timeout of statements in ms. */
  statementTimeoutMs: number
  /** Called when PostgreSQL is lost. */
  onLost: () => void
  /** Called when PostgreSQL can be reached (again). */
  onUp: () => void
}

interface Pools {
  short: pg.Pool
  long: pg.Pool
}

const LONG_MS = 600_000
/** Retries after a conflict with another session. */
export const TRIES = 20

/**
 * A lane runs its work one after the other, in order. Retries after conflicts run in one: concurrent retries would meet in the same conflict, on a
 * busy machine again and again.
 */
export function lane(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

/** Conflicts between sessions abort one of them without any effect, so that it can be retried. */
const GO_AGAIN = new Set(['40001', '40P01'])
const UNDONE = Symbol('undone by a conflict')
/** The server or the session is shutting down, or the server does not accept sessions yet. */
const GONE = /^57P0[1-5]$/
/**
 * Cursors are stored in files, so that any session can continue one. A first page of up to 1,000 documents (MongoDB's has 101) saves most lists a
 * second request.
 */
const SETTINGS = '-c documentdb.useFileBasedPersistedCursors=on -c documentdb.defaultCursorFirstPageBatchSize=1000'
const RAW = { getTypeParser: () => (text: string) => text }

/** Calls DocumentDB's functions in PostgreSQL. It connects when PostgreSQL comes up, and reconnects whenever it comes back. */
export class Engine {
  readonly #options: EngineOptions
  readonly #retry = lane()
  #pools: Pools
  #coming: Promise<void>
  #isUp = false
  #isClosed = false

  constructor(options: EngineOptions) {
    this.#options = options
    this.#pools = this.#newPools()
    this.#coming = this.#come()
  }

  /** Whether PostgreSQL can be reached. */
  get up(): boolean {
    return this.#isUp
  }

  /** Resolves when PostgreSQL can be reached. */
  ready(): Promise<void> {
    return this.#coming
  }

  /** Returns the first row of a prepared statement's result; an empty array without rows. */
  call(name: string, text: string, values: unknown[]): Promise<ColumnText[]> {
    return this.#query(this.#pools.short, { name, text, values, rowMode: 'array' })
  }

  /** As `call`, for statements that may take minutes, on separate sessions. */
  callLong(text: string, values: unknown[]): Promise<ColumnText[]> {
    return this.#query(this.#pools.long, { text, values, rowMode: 'array' })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#pools.short.end(), this.#pools.long.end()])
  }

  #newPools(): Pools {
    const { sessions, statementTimeoutMs } = this.#options
    return { short: this.#newPool(sessions, statementTimeoutMs), long: this.#newPool(2, LONG_MS) }
  }

  #newPool(max: number, statementTimeoutMs: number): pg.Pool {
    const pool = new pg.Pool({
      application_name: 'gatehouse-mongod',
      max,
      // A session's caches grow with each collection that it uses, up to 100 MiB; a new session costs 20 ms of CPU.
      idleTimeoutMillis: 60_000,
      maxLifetimeSeconds: 300,
      connectionTimeoutMillis: 30_000,
      // The server's own timeout comes first; this one is for a server that does not answer.
      query_timeout: statementTimeoutMs + 5_000,
      options: `-c statement_timeout=${statementTimeoutMs} ${SETTINGS}`,
    })
    return pool.on('error', () => this.#lose())
  }

  #lose(): void {
    if (this.#isClosed || !this.#isUp) return
    this.#isUp = false
    this.#options.onLost()
    for (const pool of [this.#pools.short, this.#pools.long]) pool.end().catch(() => {})
    this.#pools = this.#newPools()
    this.#coming = this.#come()
  }

  async #come(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await prepare(this.#pools.short)
        this.#isUp = true
        this.#options.onUp()
        return
      } catch (error) {
        if (!isGone(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }

  async #query(pool: pg.Pool, config: pg.QueryArrayConfig): Promise<ColumnText[]> {
    let outcome = await this.#attempt(pool, config)
    if (outcome === UNDONE)
      outcome = await this.#retry(async () => {
        let latest: ColumnText[] | typeof UNDONE = UNDONE
        for (let tries = 1; latest === UNDONE && tries < TRIES; tries++) latest = await this.#attempt(pool, config)
        return latest
      })
    if (outcome === UNDONE) throw new CommandError(CODES.writeConflict, 'other sessions kept undoing this command')
    return outcome
  }

  async #attempt(pool: pg.Pool, config: pg.QueryArrayConfig): Promise<ColumnText[] | typeof UNDONE> {
    let session: pg.PoolClient | undefined
    try {
      session = await pool.connect()
      const { rows } = await session.query<ColumnText[]>({ ...config, types: RAW as unknown as pg.CustomTypesConfig })
      session.release()
      return rows[0] ?? []
    } catch (error) {
      // A session is as good as before after a refused statement, and a new one costs 20 ms of CPU. `pool.query` would close it.
      session?.release(isGone(error))
      if (isGone(error)) {
        this.#lose()
        throw new EngineLostError((error as Error).message)
      }
      const { code = '', constraint, message } = error as pg.DatabaseError
      if (GO_AGAIN.has(code)) return UNDONE
      throw new CommandError(codeOf(code), message, constraint)
    }
  }
}

/** Creates or updates the extension, and removes the jobs whose work this server does itself. */
async function prepare(pool: pg.Pool): Promise<void> {
  await pool.query('CREATE EXTENSION IF NOT EXISTS documentdb CASCADE')
  await pool.query('CREATE EXTENSION IF NOT EXISTS documentdb_extended_rum CASCADE')
  const { rows } = await pool.query<{ name: string }>(
    `SELECT name FROM pg_available_extensions WHERE name LIKE 'documentdb%' AND installed_version <> default_version ORDER BY name DESC`,
  )
  for (const { name } of rows) await pool.query(`ALTER EXTENSION ${name} UPDATE`)
  await pool.query(`SELECT cron.unschedule(jobid) FROM cron.job WHERE jobname LIKE 'documentdb_index_build_task%'`)
}

function isGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  if (error instanceof pg.DatabaseError) return GONE.test(code ?? '')
  return true
}

/** The bytes of a BSON column. */
export function bsonOf(column: ColumnText | undefined): Buffer {
  if (!column?.startsWith('BSONHEX')) throw new CommandError(CODES.internal, 'the engine gave no document')
  return Buffer.from(column.slice(7), 'hex')
}
