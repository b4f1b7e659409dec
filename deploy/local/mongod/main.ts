import { parseArgs } from 'node:util'
import { accountOf } from './authentication.ts'
import { serve } from './server.ts'

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: process.env.MONGOD_HOST ?? '127.0.0.1' },
    port: { type: 'string', default: process.env.MONGOD_PORT ?? '27017' },
    sessions: { type: 'string', default: '16' },
    help: { type: 'boolean', default: false },
  },
})

const USAGE = `Gatehouse's MongoDB-protocol server on DocumentDB/PostgreSQL, not MongoDB.

  --host ADDRESS    where to listen (127.0.0.1; MONGOD_HOST); it does not encrypt, so leave it on loopback
  --port NUMBER     (27017; MONGOD_PORT)
  --sessions N      PostgreSQL sessions at most (16)

Who may sign in stands in MONGOD_USER and MONGOD_PASSWORD, both needed. The usual PG* variables say where the PostgreSQL
with the documentdb extension is.`

if (values.help) {
  console.log(USAGE)
  process.exit()
}

const { MONGOD_USER, MONGOD_PASSWORD } = process.env
if (!MONGOD_USER || !MONGOD_PASSWORD) {
  console.error('mongod: MONGOD_USER and MONGOD_PASSWORD have to be set')
  process.exit(1)
}

const log = (message: string, fields: Record<string, unknown>) =>
  console.log(JSON.stringify({ time: new Date().toISOString(), name: 'mongod', msg: message, ...fields }))

log("Gatehouse's MongoDB-protocol server on DocumentDB/PostgreSQL, not MongoDB", { pid: process.pid })
const server = await serve({
  host: values.host,
  port: Number(values.port),
  sessions: Number(values.sessions),
  statementTimeoutMs: 60_000,
  cursorIdleMs: 600_000,
  account: await accountOf(MONGOD_USER, MONGOD_PASSWORD),
  log,
})
log('listening', { host: values.host, port: server.port })

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping) process.exit(1)
    stopping = true
    void server.stop().then(() => process.exit(0))
  })
