import { parseArgs } from 'node:util'
import { serve } from './server.ts'

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: process.env.MONGOD_HOST ?? '127.0.0.1' },
    port: { type: 'string', default: process.env.MONGOD_PORT ?? '27017' },
    sessions: { type: 'string', default: '16' },
    postgres: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const USAGE = `Gatehouse's MongoDB-protocol server on DocumentDB/PostgreSQL, not MongoDB.

  --host ADDRESS    where to listen (127.0.0.1; MONGOD_HOST); it asks nobody for a password, so leave it on loopback
  --port NUMBER     (27017; MONGOD_PORT)
  --sessions N      PostgreSQL sessions at most (16)
  --postgres URL    the PostgreSQL with the documentdb extension; otherwise the usual PG* variables say`

if (values.help) {
  console.log(USAGE)
  process.exit()
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
  log,
  ...(values.postgres && { connectionString: values.postgres }),
})
log('listening', { host: values.host, port: server.port })

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping) process.exit(1)
    stopping = true
    void server.stop().then(() => process.exit(0))
  })
