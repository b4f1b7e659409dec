import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execute } from './execute.ts'
import { LocalStackError } from './failure.ts'
import type { Programs } from './packages.ts'
import { ownFolder, writePrivate } from './private-files.ts'
import { HERE, type User } from './user.ts'

/** The database user; unrelated to the user of the machine that PostgreSQL runs as. */
export const POSTGRES_USER = 'postgres'

/** The folder of PostgreSQL's socket. PostgreSQL has no TCP port, so that only the wire server can reach it. */
export const SOCKET_FOLDER = 'run'
/** The socket's name. */
const SOCKET = '.s.PGSQL.5432'

/** The folder, in PostgreSQL's, of the socket at which the wire server offers its sessions to DocumentDB. */
export const POOL_FOLDER = 'sessions'

interface PostgresOptions {
  user: User | undefined
  /** The new cluster is not synced to disk. */
  throwAway: boolean
  /** Commits are. */
  syncs: boolean
}

/**
 * Creates the cluster at the first start, which may be interrupted, and writes its configuration at each start. Returns the cluster's folder, in which
 * PostgreSQL must be started.
 */
export async function preparePostgres(
  programs: Pick<Programs, 'initdb'>,
  dataDir: string,
  { user, throwAway, syncs }: PostgresOptions,
): Promise<string> {
  const cluster = join(dataDir, 'postgres')
  for (const folder of [SOCKET_FOLDER, join(SOCKET_FOLDER, POOL_FOLDER)]) await ownFolder(join(dataDir, folder), user)
  if (!existsSync(cluster)) {
    const fresh = `${cluster}.new`
    await rm(fresh, { recursive: true, force: true })
    await ownFolder(fresh, user)
    await initdb(programs.initdb, fresh, user, throwAway)
    await rename(fresh, cluster)
  }
  await ownFolder(cluster, user)
  await writePrivate(join(cluster, 'postgresql.conf'), CONFIGURATION + (syncs ? '' : UNSYNCED), user)
  return cluster
}

/** Whether the PostgreSQL of this process id accepts connections. */
export async function postgresReady(dataDir: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

/** Whether a PostgreSQL listens at its socket, or one that was killed has left it. */
export function isServed(dataDir: string): boolean {
  return existsSync(join(dataDir, SOCKET_FOLDER, SOCKET))
}

async function initdb(program: string, cluster: string, user: User | undefined, throwAway: boolean): Promise<void> {
  // It looks up the name of its user. Our users have none, nor have those of many containers.
  const users = join(cluster, '..', SOCKET_FOLDER, 'users')
  const { uid = process.getuid?.(), gid = process.getgid?.() } = user ?? {}
  await writePrivate(users, `${POSTGRES_USER}:x:${uid}:${gid}::/:/bin/sh\n`, user)
  const args = [
    ...['--pgdata', HERE, '--username', POSTGRES_USER, '--auth-local', 'trust', '--auth-host', 'reject'],
    ...['--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-instructions', ...(throwAway ? ['--no-sync'] : [])],
  ]
  const env = { NSS_WRAPPER_PASSWD: `${HERE}/../${SOCKET_FOLDER}/users`, NSS_WRAPPER_GROUP: '/dev/null' }
  await execute(program, args, { cwd: cluster, env, user }).catch((error: Error) => {
    throw new LocalStackError(`PostgreSQL's first files could not be made in ${cluster}: ${error.message}`)
  })
  await rm(users)
}

/**
 * Removes leftovers that would prevent a start. A killed PostgreSQL leaves sessions, some of which may wait for ever for a lock of a dead one, and
 * pid files with ids that other processes may have by now. The stack's lock ensures that no other stack starts here. So the sessions are ended, and
 * once no process has the cluster as its working directory, as all of PostgreSQL's have, the pid files are deleted.
 */
export async function clearLeftovers(dataDir: string): Promise<void> {
  const cluster = join(dataDir, 'postgres')
  for (let tries = 0; ; tries++) {
    const left = await processesIn(cluster)
    if (left.length === 0) break
    if (tries > 100)
      throw new LocalStackError(`PostgreSQL of an earlier run (process ${left[0]}) does not end; kill it.`)
    if (tries === 5) for (const pid of left) process.kill(pid, 'SIGKILL')
    await sleep(100)
  }
  const socket = join(dataDir, SOCKET_FOLDER, SOCKET)
  for (const note of [join(cluster, 'postmaster.pid'), socket, `${socket}.lock`]) await rm(note, { force: true })
}

/** The processes whose working directory is this folder, under any name. */
async function processesIn(folder: string): Promise<number[]> {
  const { dev, ino } = await stat(folder)
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const places = await Promise.all(pids.map((pid) => stat(`/proc/${pid}/cwd/`).catch(() => null)))
  return pids.filter((_, n) => places[n]?.dev === dev && places[n]?.ino === ino)
}

/**
 * For a small machine with everything else on it.
 * - fsync and synchronous_commit stay on: commits are durable, but in tests.
 * - Checkpoints are rare, since after each one every touched page is written whole once more.
 * - max_wal_senders: a backup copies files by one connection, and what is written meanwhile by another.
 * - min_wal_size keeps a gibibyte of old log for reuse: a new log file delays every commit for some 15 ms, in a rush once a second.
 * - Parallel workers and the JIT compiler cost more than they gain for documents found by index.
 * - deadlock_timeout: two inserts of the same unique key may deadlock on each other's check (a unique index of DocumentDB is an exclusion
 *   constraint); a short timeout resolves that at once, and the wire server retries the loser.
 * - log_min_error_statement: refused statements may contain personal data.
 * - alternate_index_handler_name: extended_rum indexes can read documents in order. The planner uses that only with statistics, so these are gathered
 *   soon (autovacuum_naptime) and from few documents (default_statistics_target): analyzing 200,000 check-ins, which grow by a tenth every few
 *   seconds, takes 24 ms of CPU instead of 330.
 * - documentdb.enableBackgroundWorkerJobs: the jobs look for indexes to build, which the wire server builds itself, in two new sessions every two
 *   seconds; a session cost 0.12 s of CPU on a nested virtual machine with 29,000 relations.
 * - autovacuum_vacuum_insert_threshold: inserts alone never start a vacuum, which finds nothing and reads a whole index, for one to four seconds with a
 *   million check-ins.
 */
const CONFIGURATION = `listen_addresses = ''
unix_socket_directories = '../${SOCKET_FOLDER}'
unix_socket_permissions = 0700
max_connections = 60
shared_buffers = '512MB'
work_mem = '8MB'
maintenance_work_mem = '64MB'
fsync = on
synchronous_commit = on
full_page_writes = on
max_wal_senders = 2
wal_compression = lz4
min_wal_size = '1GB'
max_wal_size = '2GB'
checkpoint_timeout = '15min'
random_page_cost = 1.1
effective_cache_size = '1GB'
jit = off
max_parallel_workers_per_gather = 0
deadlock_timeout = '30ms'
autovacuum_naptime = '5s'
autovacuum_vacuum_insert_threshold = -1
default_statistics_target = 10
tcp_keepalives_idle = 60
log_min_messages = log
log_error_verbosity = terse
log_min_error_statement = panic
log_line_prefix = '%m [%p] '
shared_preload_libraries = 'pg_cron,pg_documentdb_core,pg_documentdb,pg_documentdb_extended_rum'
cron.database_name = 'postgres'
cron.host = '${HERE}/../${SOCKET_FOLDER}'
cron.log_run = off
cron.log_statement = off
documentdb.localhost_connection_string = 'host=${HERE}/../${SOCKET_FOLDER}/${POOL_FOLDER}'
documentdb.alternate_index_handler_name = 'extended_rum'
documentdb.defaultCursorExpiryTimeLimitSeconds = 660
documentdb.enableBackgroundWorkerJobs = off
`

/** Of a cluster that need not outlive a crash of the machine. */
const UNSYNCED = `fsync = off
full_page_writes = off
`
