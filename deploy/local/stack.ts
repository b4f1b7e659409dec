import { createWriteStream, existsSync, type WriteStream } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inRootfs } from './chroot.ts'
import { LocalStackError } from './failure.ts'
import { type Lock, takeLock } from './lock.ts'
import { takePorts } from './ports.ts'
import {
  ownFolder,
  POSTGRES_COMMAND,
  POSTGRES_USER,
  postgresReady,
  preparePostgres,
  SOCKET_FOLDER,
  userOf,
} from './postgres.ts'
import { ensureRootfs } from './rootfs.ts'
import { type Supervised, type SuperviseLog, supervise } from './supervise.ts'

/** Where the stack's servers are reached. */
export interface StackUrls {
  mongodbUrl: string
  natsUrl: string
  redisUrl: string
}

/** A running stack. */
export interface Stack extends StackUrls {
  /** The process ids by name (`redis`, `nats`, `postgres`, `mongod`), for whoever wants to kill one. A restarted one has another. */
  readonly processes: Record<string, number>
  /** Resolves when all have ended. */
  stop(): Promise<void>
}

/** How to start a stack. */
export interface StackOptions {
  /** All its data and its state; made when missing. */
  dataDir: string
  /** Of a stack whose data nobody needs afterwards: `stop` deletes `dataDir`. What it answers is durable all the same. */
  throwAway?: boolean
  /** The path of a real mongod of this machine, to be run in place of PostgreSQL with DocumentDB and its wire server. */
  mongod?: string
  log?: SuperviseLog
}

/** What `stack.json` holds while a stack runs: where it is, and the processes by name. It may outlive a killed stack. */
export interface StackFile extends StackUrls {
  processes: Record<string, { pid: number; started: string }>
}

const LOG_LIMIT_BYTES = 5 * 1024 ** 2

/**
 * Starts nats-server, redis-server, PostgreSQL with DocumentDB and the MongoDB wire server, on loopback, and keeps them running. They die with
 * this process. Throws {@link LocalStackError} when they can't be had, or when a stack with this `dataDir` runs already.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { log = () => {}, throwAway = false, mongod } = options
  const dataDir = resolve(options.dataDir)
  const rootfs = await ensureRootfs({ log: (line) => log(line, {}) })
  await mkdir(join(dataDir, 'logs'), { recursive: true, mode: 0o700 })
  // The servers run as users of their own, each with a folder in here that only it may enter.
  await chmod(dataDir, 0o711)
  const lock = await takeLock(join(dataDir, 'stack.lock'), 2)
  if (!lock)
    throw new LocalStackError(
      `A stack with the data folder ${dataDir} is already running; stop it first, or set GATEHOUSE_DATA to another folder.`,
    )
  try {
    await endLeftovers(dataDir)
    return await run({ rootfs, dataDir, throwAway, mongod, log, lock })
  } catch (error) {
    await lock.release()
    throw error
  }
}

interface Run {
  rootfs: string
  dataDir: string
  throwAway: boolean
  mongod: string | undefined
  log: SuperviseLog
  lock: Lock
}

async function run({ rootfs, dataDir, throwAway, mongod, log, lock }: Run): Promise<Stack> {
  const ports = await takePorts(join(dataDir, 'ports.json'), ['mongodb', 'nats', 'redis'])
  const urls: StackUrls = {
    mongodbUrl: `mongodb://127.0.0.1:${ports.mongodb}/?directConnection=true`,
    natsUrl: `nats://127.0.0.1:${ports.nats}`,
    redisUrl: `redis://127.0.0.1:${ports.redis}`,
  }
  const file = new StateFile(join(dataDir, 'stack.json'), urls)
  for (const user of ['redis', 'nats']) {
    const { uid, gid } = await userOf(rootfs, user)
    await ownFolder(join(dataDir, user), uid, gid)
  }
  await writeFile(join(dataDir, 'nats.conf'), natsConfiguration(ports.nats))

  const started: Supervised[] = []
  const logs: WriteStream[] = []
  async function start(name: string, what: Omit<Parameters<typeof supervise>[0], 'name' | 'log'>): Promise<Supervised> {
    const output = await openLog(join(dataDir, 'logs', `${name}.log`))
    logs.push(output)
    const supervised = supervise({
      ...what,
      name,
      log,
      onLine: (line) => output.write(`${line}\n`),
      onStart: (pid) => file.set(name, pid),
    })
    started.push(supervised)
    return supervised
  }
  async function stop(): Promise<void> {
    for (const process of started.toReversed()) await process.stop()
    for (const output of logs) output.end()
    await file.remove()
    await lock.release()
    if (throwAway) await rm(dataDir, { recursive: true, force: true })
  }
  async function startDocumentDb(): Promise<void> {
    await preparePostgres(rootfs, dataDir, throwAway)
    await start('postgres', {
      ...confined(POSTGRES_USER, POSTGRES_COMMAND),
      // A fast shutdown: sessions are ended, a checkpoint is written.
      stopSignal: 'SIGINT',
      stopTimeoutMs: 20_000,
      ready: (signal) => until(() => postgresReady(dataDir), signal),
    })
    await start('mongod', {
      command: process.execPath,
      args: [fileURLToPath(new URL('./mongod/main.ts', import.meta.url)), '--port', String(ports.mongodb)],
      // The way to a socket may be at most 107 bytes long; that of a data folder can be longer, its own name for it is not.
      cwd: join(dataDir, SOCKET_FOLDER),
      env: { ...process.env, PGHOST: '/proc/self/cwd', PGUSER: POSTGRES_USER, PGDATABASE: 'postgres' },
      ready: (signal) => listens(ports.mongodb, signal),
    })
  }
  async function startMongod(command: string): Promise<void> {
    const folder = join(dataDir, 'mongodb')
    await mkdir(folder, { recursive: true })
    await start('mongod', {
      command,
      args: [
        '--dbpath',
        folder,
        '--bind_ip',
        '127.0.0.1',
        '--port',
        String(ports.mongodb),
        '--wiredTigerCacheSizeGB',
        '0.5',
      ],
      stopTimeoutMs: 20_000,
      ready: (signal) => listens(ports.mongodb, signal),
    })
  }
  const confined = (user: string, command: string[]) => inRootfs({ rootfs, srv: dataDir, user, command })

  try {
    await start('nats', {
      ...confined('nats', ['/usr/sbin/nats-server', '-c', '/srv/nats.conf']),
      ready: (signal) => answers(ports.nats, '', 'INFO', signal),
    })
    await start('redis', {
      ...confined('redis', ['/usr/bin/redis-server', ...redisSettings(ports.redis)]),
      ready: (signal) => answers(ports.redis, 'PING\r\n', '+PONG', signal),
    })
    if (mongod) await startMongod(mongod)
    else await startDocumentDb()
    await Promise.all(started.map(({ ready }) => ready))
  } catch (error) {
    await stop()
    throw error instanceof Error ? new LocalStackError(`The local servers did not start: ${error.message}`) : error
  }
  return {
    ...urls,
    get processes() {
      return Object.fromEntries(started.flatMap(({ name, pid }) => (pid === undefined ? [] : [[name, pid]])))
    },
    stop,
  }
}

/**
 * Appends are in the kernel after each command and on disk within a second; a full memory refuses writes rather than forgets keys.
 * Hashes of more than 64 fields become tables: batches that touch many fields of one are several times cheaper so.
 */
function redisSettings(port: number): string[] {
  return [
    ...['--bind', '127.0.0.1', '--port', String(port), '--dir', '/srv/redis', '--daemonize', 'no', '--save', ''],
    ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'],
    ...['--hash-max-listpack-entries', '64', '--loglevel', 'warning'],
  ]
}

function natsConfiguration(port: number): string {
  return `listen: "127.0.0.1:${port}"
jetstream { store_dir: "/srv/nats", max_memory_store: 64MB, max_file_store: 4GB, sync_interval: "1s" }
`
}

/** The state file, rewritten whole whenever a process is started anew. */
class StateFile {
  readonly #path: string
  readonly #content: StackFile
  #writing: Promise<void> = Promise.resolve()

  constructor(path: string, urls: StackUrls) {
    this.#path = path
    this.#content = { ...urls, processes: {} }
  }

  set(name: string, pid: number): void {
    this.#writing = this.#writing.then(async () => {
      const started = await startTime(pid)
      if (started === null) return
      this.#content.processes[name] = { pid, started }
      await writeFile(`${this.#path}.new`, `${JSON.stringify(this.#content, null, 2)}\n`)
      await rename(`${this.#path}.new`, this.#path)
    })
  }

  async remove(): Promise<void> {
    await this.#writing
    await rm(this.#path, { force: true })
  }
}

/** Processes of a stack that was killed die with it; this waits for the last of them, and helps. */
async function endLeftovers(dataDir: string): Promise<void> {
  const path = join(dataDir, 'stack.json')
  if (!existsSync(path)) return
  const processes = await readFile(path, 'utf8').then(
    (text) => (JSON.parse(text) as StackFile).processes,
    () => ({}) as StackFile['processes'],
  )
  const deadline = Date.now() + 10_000
  for (const [name, { pid, started }] of Object.entries(processes))
    for (let tries = 0; (await startTime(pid)) === started; tries++) {
      if (Date.now() > deadline)
        throw new LocalStackError(`${name} of an earlier run (process ${pid}) does not end; kill it.`)
      if (tries === 5) process.kill(pid, name === 'postgres' ? 'SIGQUIT' : 'SIGKILL')
      await sleep(100)
    }
  await rm(path, { force: true })
}

/** When a process was started, in ticks since boot: with the id it tells processes apart. Null when there is none. */
async function startTime(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? null : (rest[18] ?? null)
}

async function openLog(path: string): Promise<WriteStream> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > LOG_LIMIT_BYTES) await truncate(path)
  return createWriteStream(path, { flags: 'a' })
}

/** Resolves when a server at this port greets, or answers `say`, with `expected`. */
async function answers(port: number, say: string, expected: string, signal: AbortSignal): Promise<void> {
  await until(
    () =>
      new Promise((settle) => {
        const socket = createConnection({ port, host: '127.0.0.1', timeout: 1_000 })
        const end = (ok: boolean) => {
          socket.destroy()
          settle(ok)
        }
        socket.once('connect', () => socket.write(say))
        socket.once('data', (data) => end(data.toString('latin1').startsWith(expected)))
        socket.once('error', () => end(false)).once('timeout', () => end(false))
      }),
    signal,
  )
}

/** Resolves when something listens at this port. */
async function listens(port: number, signal: AbortSignal): Promise<void> {
  await until(
    () =>
      new Promise((settle) => {
        const socket = createConnection({ port, host: '127.0.0.1' })
        socket.once('connect', () => settle(true)).once('error', () => settle(false))
        socket.once('connect', () => socket.destroy())
      }),
    signal,
  )
}

async function until(check: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!(await check())) {
    signal.throwIfAborted()
    await sleep(30)
  }
}
