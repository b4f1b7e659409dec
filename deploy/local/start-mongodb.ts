import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MONGODB_USER } from './credentials.ts'
import type { Programs } from './packages.ts'
import {
  clearLeftovers,
  POOL_FOLDER,
  POSTGRES_USER,
  postgresReady,
  preparePostgres,
  SOCKET_FOLDER,
} from './postgres.ts'
import { ownFolder } from './private-files.ts'
import { listens, until } from './probes.ts'
import { programOf } from './program.ts'
import type { StackSetup } from './servers.ts'
import { NO_USERS } from './store-users.ts'
import { canRead, HERE, type User, userOf } from './user.ts'

/** Starts the machine's own mongod, or else DocumentDB with the MongoDB wire server before it. */
export async function startMongodb(setup: StackSetup): Promise<void> {
  const { options, packaged, ports, servers } = setup
  const own = options.programs?.mongod
  if (!own && packaged) return startDocumentDb(setup, packaged)
  const args = ['--dbpath', 'mongodb', '--bind_ip', '127.0.0.1', '--port', String(ports.mongodb)]
  await servers.start('mongod', {
    ...(await servers.inDataDir('mongodb', own, args)),
    stopTimeoutMs: 20_000,
    ready: (signal) => listens(ports.mongodb, signal),
  })
}

async function startDocumentDb(setup: StackSetup, programs: Programs): Promise<void> {
  const { options, dataDir, servers } = setup
  const { throwAway = false, syncs = true } = options
  const user = userOf('mongodb')
  await servers.start('postgres', {
    command: programs.postgres,
    args: ['-D', HERE],
    cwd: await preparePostgres(programs, dataDir, { user, throwAway, syncs }),
    user,
    // A fast shutdown: it ends sessions and writes a checkpoint.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 20_000,
    prepare: () => clearLeftovers(dataDir),
    ready: (signal, pid) => until(() => postgresReady(dataDir, pid), signal),
  })
  await startWireServer(setup, user)
}

async function startWireServer(
  { options, dataDir, ports, credentials, servers }: StackSetup,
  user: User | undefined,
): Promise<void> {
  const { sessions, storeUsers = NO_USERS } = options
  const main = fileURLToPath(new URL('./mongod/main.ts', import.meta.url))
  const cache = join(dataDir, 'mongod-cache')
  await ownFolder(cache, user)
  const { command, args, env } = programOf(main, cache)
  const users = Object.entries(storeUsers.mongodb).map(([user, database]) => {
    return { user, password: credentials.mongodbUsers[user], database }
  })
  await servers.start('mongod', {
    command,
    args: [...args, '--port', String(ports.mongodb), ...(sessions ? ['--sessions', String(sessions)] : [])],
    // The path of a socket is limited to 107 bytes, so it is relative to its folder.
    cwd: join(dataDir, SOCKET_FOLDER),
    // This user may enter the folder of PostgreSQL's socket, and needs no further rights.
    user: user && (await canRead(user, [process.execPath, main])) ? user : undefined,
    env: {
      ...process.env,
      ...env,
      PGHOST: HERE,
      PGPORT: '5432',
      PGUSER: POSTGRES_USER,
      PGDATABASE: 'postgres',
      MONGOD_SESSION_POOL: join(HERE, POOL_FOLDER),
      MONGOD_USER: MONGODB_USER,
      MONGOD_PASSWORD: credentials.mongodb,
      MONGOD_USERS: JSON.stringify(users),
    },
    ready: (signal) => listens(ports.mongodb, signal),
  })
}
