import { join } from 'node:path'
import { Command, numberFrom, runCommand } from '@gatehouse/proto/process/command.ts'
import { Accounts, type User } from './authentication.ts'
import { shapeRecorder } from './command-shapes.ts'
import { serve } from './server.ts'
import { poolSessions } from './session-pool.ts'

const {
  MONGOD_HOST = '127.0.0.1',
  MONGOD_PORT = '27017',
  MONGOD_USER,
  MONGOD_PASSWORD,
  MONGOD_USERS = '[]',
  PGHOST = '',
  PGPORT = '5432',
  MONGOD_SESSION_POOL,
  MONGOD_COMMANDS,
} = process.env

const command = new Command('node deploy/local/mongod/main.ts')
  .description(
    "Gatehouse's MongoDB-protocol server on DocumentDB/PostgreSQL, not MongoDB. Who may sign in stands in MONGOD_USER and MONGOD_PASSWORD, " +
      'both needed; MONGOD_USERS has those who may use one database each, as JSON: [{"user","password","database"}]. The usual PG* variables say where the PostgreSQL with the documentdb extension is. MONGOD_SESSION_POOL, if set, is the folder of the socket at which DocumentDB finds sessions of the PostgreSQL at PGHOST, a folder too. MONGOD_COMMANDS, if set, is the folder into which the shapes of the commands of strict clients are written.',
  )
  .option(
    '--host <address>',
    'where to listen (MONGOD_HOST); it does not encrypt, so leave it on loopback',
    MONGOD_HOST,
  )
  .option('--port <number>', '(MONGOD_PORT)', numberFrom(0, 65_535), Number(MONGOD_PORT))
  .option('--sessions <number>', 'PostgreSQL sessions at most', numberFrom(1), 16)
await runCommand(command)
const { host, port, sessions } = command.opts<{ host: string; port: number; sessions: number }>()

if (!MONGOD_USER || !MONGOD_PASSWORD) {
  console.error('mongod: MONGOD_USER and MONGOD_PASSWORD must be set')
  process.exit(1)
}

const log = (message: string, fields: Record<string, unknown>) =>
  console.log(JSON.stringify({ time: new Date().toISOString(), name: 'mongod', msg: message, ...fields }))

log("Gatehouse's MongoDB-protocol server on DocumentDB/PostgreSQL, not MongoDB", { pid: process.pid })
/** The name that PostgreSQL gives its socket. */
const socket = `.s.PGSQL.${PGPORT}`
const pool = MONGOD_SESSION_POOL && (await poolSessions(join(MONGOD_SESSION_POOL, socket), join(PGHOST, socket)))
const server = await serve({
  host,
  port,
  sessions,
  statementTimeoutMs: 60_000,
  cursorIdleMs: 600_000,
  record: MONGOD_COMMANDS ? shapeRecorder(MONGOD_COMMANDS) : undefined,
  accounts: await Accounts.of([
    ...(JSON.parse(MONGOD_USERS) as User[]),
    { user: MONGOD_USER, password: MONGOD_PASSWORD },
  ]),
  log,
})
log('listening', { host, port: server.port })

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping) process.exit(1)
    stopping = true
    if (pool) pool.close()
    void server.stop().then(() => process.exit(0))
  })
