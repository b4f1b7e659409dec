import { createWriteStream, type WriteStream } from 'node:fs'
import { chmod, rm, stat, truncate } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NatsUser, natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import type { NatsPermissions } from '@gatehouse/proto/declaring/permissions/nats-permissions.ts'
import { MONGODB_USER, type StackPasswords, takeCredentials } from './credentials.ts'
import { LocalStackError } from './failure.ts'
import { type Lock, takeLock } from './lock.ts'
import { ensurePackages, type Programs } from './packages.ts'
import { takePorts } from './ports.ts'
import {
  clearLeftovers,
  POOL_FOLDER,
  POSTGRES_USER,
  postgresReady,
  preparePostgres,
  SOCKET_FOLDER,
} from './postgres.ts'
import { ownFolder, writePrivate } from './private-files.ts'
import { answers, listens, until } from './probes.ts'
import { programOf } from './program.ts'
import { endLeftovers, type StackUrls, StateFile } from './state.ts'
import { NO_USERS, redisUserLines, type StoreUsers } from './store-users.ts'
import { type Supervised, type SuperviseLog, supervise } from './supervise.ts'
import { canRead, HERE, userOf } from './user.ts'

/** A running stack. */
export interface Stack extends StackUrls {
  /** The current process ids by name (`redis`, `nats`, `postgres`, `mongod`). */
  readonly processes: Record<string, number>
  /** The URL of NATS for one of its users. */
  natsUrlOf(user: string): string
  /** That of MongoDB for one of its users. */
  mongodbUrlOf(user: string): string
  /** That of Redis for one of its users. */
  redisUrlOf(user: string): string
  /** Resolves when all have ended. */
  stop(): Promise<void>
}

/** Paths of this machine's programs. With a mongod PostgreSQL is not needed; with all three, no package is. */
export interface OwnPrograms {
  mongod?: string | undefined
  nats?: string | undefined
  redis?: string | undefined
}

/** How to start a stack. */
export interface StackOptions {
  /** The folder of data and state; created if missing. */
  dataDir: string
  /** `stop` deletes `dataDir`. Answered writes are durable all the same. */
  throwAway?: boolean
  /** Whether answered writes are on disk. Without it they outlive each process, but not a crash of the machine. Default: true. */
  syncs?: boolean
  /** Programs to run instead of those of the packages. */
  programs?: OwnPrograms
  /** Which of the servers to run, in this order. Default: all. */
  servers?: readonly StoreName[]
  /** PostgreSQL sessions at most. Default: those of the MongoDB wire server. */
  sessions?: number
  /** The NATS users with what they may do; default: `cli`, which may do everything. */
  natsUsers?: NatsUsers
  /** The users of MongoDB and Redis besides those of `mongodbUrl` and `redisUrl`, who may use everything. */
  storeUsers?: StoreUsers
  log?: SuperviseLog
}

/** NATS users by name. One without permissions may do everything. */
export type NatsUsers = { cli: NatsPermissions | undefined } & Record<string, NatsPermissions | undefined>

/** A server of the stack. */
export type StoreName = 'mongodb' | 'nats' | 'redis'

/** The NATS user of `natsUrl`. */
const COMMAND_LINE = 'cli'

const LOG_LIMIT_BYTES = 5 * 1024 ** 2

/**
 * Starts nats-server, redis-server, PostgreSQL with DocumentDB and the MongoDB wire server on loopback, and keeps them running. They die with this
 * process. Throws {@link LocalStackError} when they cannot be fetched, or when a stack with this `dataDir` runs already.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { log = () => {}, programs: own = {} } = options
  const dataDir = resolve(options.dataDir)
  const isComplete = own.mongod && own.nats && own.redis
  const packaged = isComplete ? undefined : await ensurePackages((line) => log(line, {}))
  await ownFolder(join(dataDir, 'logs'))
  // Each server runs as its own user, with a folder in here that only it may enter.
  await chmod(dataDir, 0o711)
  const lock = await takeLock(join(dataDir, 'stack.lock'), 2)
  if (!lock)
    throw new LocalStackError(
      `A stack with the data folder ${dataDir} is already running; stop it first, or set GATEHOUSE_DATA to another folder.`,
    )
  try {
    await endLeftovers(dataDir)
    return await run(options, dataDir, packaged, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Starts the servers in the resolved `dataDir`. `packaged` is undefined if all programs are the machine's own. */
async function run(options: StackOptions, dataDir: string, packaged: Programs | undefined, lock: Lock): Promise<Stack> {
  const { log = () => {}, throwAway = false, programs: own = {}, servers = ['nats', 'redis', 'mongodb'] } = options
  const { sessions, syncs = true, natsUsers = { cli: undefined }, storeUsers = NO_USERS } = options
  const { ports, release } = await takePorts(join(dataDir, 'ports.json'), ['mongodb', 'nats', 'redis'])
  const credentials = await takeCredentials(join(dataDir, 'credentials.json'), Object.keys(natsUsers), storeUsers)
  const isDocumentDb = !own.mongod && packaged !== undefined
  const natsUrlOf = (user: string): string => `nats://${user}:${credentials.nats[user]}@127.0.0.1:${ports.nats}`
  // The machine's own mongod, which is for tests only, has no users.
  const mongodbUrlWith = (user: string, password?: string): string =>
    `mongodb://${isDocumentDb ? `${user}:${password}@` : ''}127.0.0.1:${ports.mongodb}/?directConnection=true`
  const redisUrlWith = (user: string, password?: string): string =>
    `redis://${user}:${password}@127.0.0.1:${ports.redis}`
  const urls: StackUrls = {
    mongodbUrl: mongodbUrlWith(MONGODB_USER, credentials.mongodb),
    natsUrl: natsUrlOf(COMMAND_LINE),
    redisUrl: redisUrlWith('', credentials.redis),
  }
  const file = new StateFile(join(dataDir, 'stack.json'), urls)

  const started: Supervised[] = []
  const logs: WriteStream[] = []
  async function start(name: string, what: Omit<Parameters<typeof supervise>[0], 'name' | 'log'>): Promise<Supervised> {
    const output = await openLog(join(dataDir, 'logs', `${name}.log`))
    logs.push(output)
    const supervised = supervise({
      ...what,
      name,
      log,
      onLine: (line) => {
        // The last lines of a process may arrive after its end.
        if (!output.writableEnded) output.write(`${line}\n`)
      },
      onStart: (pid) => file.set(name, pid),
    })
    started.push(supervised)
    return supervised
  }
  async function stop(): Promise<void> {
    for (const process of started.toReversed()) await process.stop()
    for (const output of logs) output.end()
    await file.remove()
    await release()
    await lock.release()
    if (throwAway) await rm(dataDir, { recursive: true, force: true })
  }
  /**
   * How to run a server in the data folder, with a subfolder that only its user may enter. Only that user can read its `configuration`, in the file
   * `<name>.conf`.
   */
  async function inDataDir(name: StoreName, program = '', args: string[] = [], configuration?: string) {
    const user = userOf(name)
    if (configuration) await writePrivate(join(dataDir, `${name}.conf`), configuration, user)
    await ownFolder(join(dataDir, name), user)
    return { command: program, args, cwd: dataDir, user }
  }
  async function startDocumentDb(programs: Programs): Promise<void> {
    const user = userOf('mongodb')
    await start('postgres', {
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
    const main = fileURLToPath(new URL('./mongod/main.ts', import.meta.url))
    const cache = join(dataDir, 'mongod-cache')
    await ownFolder(cache, user)
    const wireServer = programOf(main, cache)
    await start('mongod', {
      command: wireServer.command,
      args: [
        ...wireServer.args,
        '--port',
        String(ports.mongodb),
        ...(sessions ? ['--sessions', String(sessions)] : []),
      ],
      // The path of a socket is limited to 107 bytes, so it is relative to its folder.
      cwd: join(dataDir, SOCKET_FOLDER),
      // This user may enter the folder of PostgreSQL's socket, and needs no further rights.
      user: user && (await canRead(user, [process.execPath, main])) ? user : undefined,
      env: {
        ...process.env,
        ...wireServer.env,
        PGHOST: HERE,
        PGPORT: '5432',
        PGUSER: POSTGRES_USER,
        PGDATABASE: 'postgres',
        MONGOD_SESSION_POOL: join(HERE, POOL_FOLDER),
        MONGOD_USER: MONGODB_USER,
        MONGOD_PASSWORD: credentials.mongodb,
        MONGOD_USERS: JSON.stringify(
          Object.entries(storeUsers.mongodb).map(([user, database]) => {
            return { user, password: credentials.mongodbUsers[user], database }
          }),
        ),
      },
      ready: (signal) => listens(ports.mongodb, signal),
    })
  }
  async function startMongod(): Promise<void> {
    const args = ['--dbpath', 'mongodb', '--bind_ip', '127.0.0.1', '--port', String(ports.mongodb)]
    await start('mongod', {
      ...(await inDataDir('mongodb', own.mongod, args)),
      stopTimeoutMs: 20_000,
      ready: (signal) => listens(ports.mongodb, signal),
    })
  }
  async function startNats(): Promise<void> {
    const users = Object.entries(natsUsers).map(([name, permissions]) => {
      return { name, password: `"${credentials.nats[name]}"`, permissions }
    })
    const configuration = ownNatsConfiguration(ports.nats, users, syncs)
    await start('nats', {
      ...(await inDataDir('nats', own.nats ?? packaged?.nats, ['-c', 'nats.conf'], configuration)),
      ready: (signal) => answers(ports.nats, '', 'INFO', signal),
    })
  }
  async function startRedis(): Promise<void> {
    const configuration = redisConfiguration(ports.redis, credentials, storeUsers, syncs)
    await start('redis', {
      ...(await inDataDir('redis', own.redis ?? packaged?.redis, [`${HERE}/redis.conf`], configuration)),
      // While Redis loads its files it accepts the password, but is not ready yet.
      ready: (signal) => answers(ports.redis, `AUTH ${credentials.redis}\r\nPING\r\n`, '+PONG', signal),
    })
  }

  const starts: Record<StoreName, () => Promise<void>> = {
    nats: startNats,
    redis: startRedis,
    mongodb: () => (isDocumentDb ? startDocumentDb(packaged) : startMongod()),
  }
  try {
    for (const server of servers) await starts[server]()
    await Promise.all(started.map(({ ready }) => ready))
    await file.written()
  } catch (error) {
    await stop()
    throw error instanceof Error ? new LocalStackError(`The local servers did not start: ${error.message}`) : error
  }
  return {
    ...urls,
    natsUrlOf,
    mongodbUrlOf: (user) => mongodbUrlWith(user, credentials.mongodbUsers[user]),
    redisUrlOf: (user) => redisUrlWith(user, credentials.redisUsers[user]),
    get processes() {
      return Object.fromEntries(started.flatMap(({ name, pid }) => (pid === undefined ? [] : [[name, pid]])))
    },
    stop,
  }
}

/**
 * Appends are in the kernel after each command and, if it `syncs`, on disk within a second. With full memory Redis refuses writes instead of evicting keys. Hashes
 * of more than 64 fields are hash tables, so that batches that touch many fields stay cheap.
 */
function redisConfiguration(
  port: number,
  { redis, redisUsers }: StackPasswords,
  storeUsers: StoreUsers,
  syncs: boolean,
): string {
  return `bind 127.0.0.1
port ${port}
requirepass ${redis}
${redisUserLines(storeUsers, redisUsers).join('\n')}
dir redis
save ""
appendonly yes
appendfsync ${syncs ? 'everysec' : 'no'}
maxmemory-policy noeviction
hash-max-listpack-entries 64
loglevel warning
`
}

function ownNatsConfiguration(port: number, users: readonly NatsUser[], syncs: boolean): string {
  return `listen: "127.0.0.1:${port}"
jetstream { store_dir: "nats", max_memory_store: 64MB, max_file_store: 4GB, sync_interval: "${syncs ? '1s' : '1h'}" }
${natsConfiguration(users)}`
}

async function openLog(path: string): Promise<WriteStream> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > LOG_LIMIT_BYTES) await truncate(path)
  const output = createWriteStream(path, { flags: 'a' })
  // A full disk costs log lines, not the process.
  return output.on('error', () => {})
}
