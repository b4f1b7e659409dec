import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import { programOnPath } from './packages.ts'
import { startStack } from './stack.ts'
import type { NatsUsers } from './stack-options.ts'
import type { StackUrls } from './state.ts'
import type { StoreUsers } from './store-users.ts'

/** Stores for a test run. */
export interface TestStores extends StackUrls {
  /** `natsUrl` for each user; all the same where the server of NATS_URL is used. */
  natsUrls: Record<string, string>
  /** `mongodbUrl` and `redisUrl` for each user; all the same unless the stores are the local stack. */
  mongodbUrls: Record<string, string>
  redisUrls: Record<string, string>
  /** A description for people. */
  kind: string
  stop(): Promise<void>
}

interface TestStoreOptions {
  natsUsers: NatsUsers
  storeUsers: StoreUsers
  log: (line: string) => void
}

const TESTS = 'test'
/**
 * PostgreSQL sessions. Whenever a test makes collections, each session reads its catalogs again. Six instead of the usual 16 took 257 and 283 CPU
 * seconds instead of 298 and 332, three took 241 (AMD EPYC, two cores, `npx vitest run services/partners services/leads services/promo`).
 */
const SESSIONS = 4

/**
 * Returns the stores nearest to production that this machine has: those of MONGODB_URL, NATS_URL and REDIS_URL; containers, if a Docker engine answers;
 * a mongod on the PATH, with nats-server and redis-server of the PATH or the local stack; the local stack with a temporary data folder. NATS has
 * `natsUsers`, and one for tests, which may do everything and is that of `natsUrl`.
 */
export async function startTestStores(options: TestStoreOptions): Promise<TestStores> {
  const natsUsers: NatsUsers = { ...options.natsUsers, [TESTS]: undefined }
  const stores = fromEnvironment(natsUsers) ?? (await fromDocker(natsUsers))
  const { mongodb, redis } = options.storeUsers
  const found: TestStores = stores
    ? {
        ...stores,
        mongodbUrls: urlsOf(mongodb, () => stores.mongodbUrl),
        redisUrls: urlsOf(redis, () => stores.redisUrl),
      }
    : await fromLocalStack(natsUsers, options)
  options.log(`Tests run on ${found.kind}.`)
  return found
}

/** Stores without users of their own for MongoDB and Redis. */
type SingleUserStores = Omit<TestStores, 'mongodbUrls' | 'redisUrls'>

function fromEnvironment(natsUsers: NatsUsers): SingleUserStores | undefined {
  const { MONGODB_URL, NATS_URL, REDIS_URL } = process.env
  if (!MONGODB_URL || !NATS_URL || !REDIS_URL) return undefined
  return {
    kind: 'the stores of MONGODB_URL, NATS_URL and REDIS_URL',
    mongodbUrl: MONGODB_URL,
    natsUrl: NATS_URL,
    natsUrls: urlsOf(natsUsers, () => NATS_URL),
    redisUrl: REDIS_URL,
    stop: async () => {},
  }
}

function urlsOf(users: object, urlOf: (user: string) => string): Record<string, string> {
  return Object.fromEntries(Object.keys(users).map((user) => [user, urlOf(user)]))
}

async function fromDocker(natsUsers: NatsUsers): Promise<SingleUserStores | undefined> {
  if (!(await dockerAnswers())) return undefined
  const { GenericContainer, Wait } = await import('testcontainers')
  const password = randomUUID()
  const users = Object.entries(natsUsers).map(([name, permissions]) => ({
    name,
    password: JSON.stringify(password),
    permissions,
  }))
  const [mongo, nats, redis] = await Promise.all([
    new GenericContainer('mongo:8').withExposedPorts(27017).withWaitStrategy(Wait.forListeningPorts()).start(),
    new GenericContainer('nats:2')
      .withCopyContentToContainer([{ content: natsConfiguration(users), target: '/gatehouse.conf' }])
      .withCommand(['--jetstream', '--config', '/gatehouse.conf'])
      .withExposedPorts(4222)
      .withWaitStrategy(Wait.forLogMessage('Server is ready'))
      .start(),
    new GenericContainer('redis:8')
      .withCommand(['redis-server', '--appendonly', 'yes', '--hash-max-listpack-entries', '64'])
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forListeningPorts())
      .start(),
  ])
  const natsUrlOf = (user: string) => `nats://${user}:${password}@${at(nats, 4222)}`
  const at = (container: typeof mongo, port: number) => `${container.getHost()}:${container.getMappedPort(port)}`
  return {
    kind: 'containers (MongoDB 8, NATS, Redis)',
    mongodbUrl: `mongodb://${at(mongo, 27017)}/?directConnection=true`,
    natsUrl: natsUrlOf(TESTS),
    natsUrls: urlsOf(natsUsers, natsUrlOf),
    redisUrl: `redis://${at(redis, 6379)}`,
    stop: async () => {
      await Promise.all([mongo, nats, redis].map((container) => container.stop()))
    },
  }
}

/** Pings the engine's socket; with DOCKER_HOST the docker client does. */
async function dockerAnswers(): Promise<boolean> {
  if (process.env.DOCKER_HOST)
    return await promisify(execFile)('docker', ['version'], { timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  const path = '/var/run/docker.sock'
  if (!existsSync(path)) return false
  const ping = get({ socketPath: path, path: '/_ping', signal: AbortSignal.timeout(2_000) })
  return await once(ping, 'response')
    .then(
      ([response]) => response.statusCode === 200,
      () => false,
    )
    .finally(() => ping.destroy())
}

async function fromLocalStack(natsUsers: NatsUsers, { storeUsers, log }: TestStoreOptions): Promise<TestStores> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  const mongod = programOnPath('mongod')
  const programs = { mongod, nats: programOnPath('nats-server'), redis: programOnPath('redis-server') }
  try {
    const stack = await startStack({
      dataDir,
      throwAway: true,
      // Tests kill processes, not the machine. Waiting for its disk took a tenth of their time.
      syncs: false,
      sessions: SESSIONS,
      natsUsers,
      storeUsers,
      log: (message, fields) => {
        // Test reports show only problems.
        if (!/ is ready$/.test(message)) log(`${message} ${fields.last ? JSON.stringify(fields.last) : ''}`)
      },
      ...(mongod && { programs }),
    })
    const kind = mongod
      ? `${mongod}, with NATS and Redis beside it`
      : 'the local stack (DocumentDB on PostgreSQL, NATS, Redis)'
    const { mongodbUrl, redisUrl, natsUrlOf, stop } = stack
    return {
      ...{ kind, mongodbUrl, redisUrl, stop },
      natsUrl: natsUrlOf(TESTS),
      natsUrls: urlsOf(natsUsers, natsUrlOf),
      mongodbUrls: urlsOf(storeUsers.mongodb, stack.mongodbUrlOf),
      redisUrls: urlsOf(storeUsers.redis, stack.redisUrlOf),
    }
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true })
    throw error
  }
}
