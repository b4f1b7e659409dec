import { chmod } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { MONGODB_USER, takeCredentials } from './credentials.ts'
import { LocalStackError } from './failure.ts'
import { type Lock, takeLock } from './lock.ts'
import { ensurePackages, type Programs } from './packages.ts'
import { takePorts } from './ports.ts'
import { ownFolder } from './private-files.ts'
import { Servers, type StackSetup } from './servers.ts'
import { EVERYTHING, type StackOptions, type StoreName } from './stack-options.ts'
import { startMongodb } from './start-mongodb.ts'
import { startNats } from './start-nats.ts'
import { startRedis } from './start-redis.ts'
import { endLeftovers, type StackUrls, StateFile } from './state.ts'
import { NO_USERS } from './store-users.ts'

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

/** The NATS user of `natsUrl`. */
const COMMAND_LINE = 'cli'

const STARTS: Record<StoreName, (setup: StackSetup) => Promise<void>> = {
  nats: startNats,
  redis: startRedis,
  mongodb: startMongodb,
}

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
  const { programs: own = {}, natsUsers = EVERYTHING, storeUsers = NO_USERS } = options
  const { ports, release } = await takePorts(join(dataDir, 'ports.json'), ['mongodb', 'nats', 'redis'])
  const credentials = await takeCredentials(join(dataDir, 'credentials.json'), Object.keys(natsUsers), storeUsers)
  const natsUrlOf = (user: string): string => `nats://${user}:${credentials.nats[user]}@127.0.0.1:${ports.nats}`
  // The machine's own mongod, which is for tests only, has no users.
  const hasUsers = !own.mongod && packaged !== undefined
  const mongodbUrlWith = (user: string, password?: string): string =>
    `mongodb://${hasUsers ? `${user}:${password}@` : ''}127.0.0.1:${ports.mongodb}/?directConnection=true`
  const redisUrlWith = (user: string, password?: string): string =>
    `redis://${user}:${password}@127.0.0.1:${ports.redis}`
  const urls: StackUrls = {
    mongodbUrl: mongodbUrlWith(MONGODB_USER, credentials.mongodb),
    natsUrl: natsUrlOf(COMMAND_LINE),
    redisUrl: redisUrlWith('', credentials.redis),
  }
  const servers = new Servers(dataDir, options, new StateFile(join(dataDir, 'stack.json'), urls))
  async function stop(): Promise<void> {
    await servers.stop()
    await release()
    await lock.release()
  }
  const setup: StackSetup = { options, dataDir, packaged, ports, credentials, servers }
  try {
    for (const server of options.servers ?? (['nats', 'redis', 'mongodb'] as const)) await STARTS[server](setup)
    await servers.ready()
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
      return servers.processes
    },
    stop,
  }
}
