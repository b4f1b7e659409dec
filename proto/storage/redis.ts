import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, Redis, SentinelConnector } from 'ioredis'
import { ConfigurationError } from '../process/config.ts'
import type { Log } from '../process/log.ts'
import { certificateProblem, onceInAWhile } from '../process/store-waiting.ts'

/** A connection to one Redis, or to a cluster of them. */
export type RedisConnection = Redis | Cluster

type Scripts = Record<string, { lua: string; numberOfKeys?: number }>

/** The time for a command, in ms: callers do without Redis rather than wait for it. */
const COMMAND_TIMEOUT_MS = 500
/** The time for a connection. */
const CONNECT_MS = 2_000
/** The pause after a connection that was given up. */
const AGAIN_MS = 50
/** The pause after a sentinel was away: one that is back tells of another master. ioredis waits for a minute. */
const SENTINEL_AGAIN_MS = 1_000
/** While Redis is away each attempt to connect fails; the log says so this often. */
const LOG_EVERY_MS = 30_000
/** The longest pause between attempts to connect, for which a change may wait (change-log.ts). */
const MAX_PAUSE_MS = 250
/** `redis+sentinel://user:password@host:26379,host:26379/master?sentinel_password=…`, `redis+cluster://user:password@host,host` */
const SEVERAL = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^:@/]*):([^@/]*)@)?([^/?@]+)(?:\/([^?]*))?(?:\?(.*))?$/

/** The connections that are closed for good. */
const closed = new WeakSet<RedisConnection>()

/**
 * A connection to Redis with Lua scripts as commands, for callers that can do without it: while Redis is away each command rejects at once, and
 * the connection is made again in the background, until {@link closeRedis}. Call {@link connectFor} first. Throws one sentence, without credentials, for a bad address.
 */
export function redisWith<Commands>(url: string, scripts: Scripts, log: Log): RedisConnection & Commands {
  const redis = connectionTo(url, scripts, (attempt) => Math.min(50 * attempt, MAX_PAUSE_MS))
  const says = onceInAWhile(LOG_EVERY_MS)
  redis.on('error', (error: Error) => {
    if (says.now()) log.warn({ reason: certificateProblem('REDIS_URL', error) ?? error.message }, 'redis')
  })
  // ioredis gives up for good when its sentinels name another master while it connects.
  redis.on('end', () => setTimeout(() => closed.has(redis) || connectFor(redis), AGAIN_MS).unref())
  return redis as RedisConnection & Commands
}

/** Connects, and resolves when that has succeeded or failed, or after a while: it goes on in the background. */
export async function connectFor(redis: RedisConnection): Promise<void> {
  await Promise.race([redis.connect().catch(() => {}), sleep(CONNECT_MS, undefined, { ref: false })])
}

/** Closes a connection for good. */
export function closeRedis(redis: RedisConnection): void {
  closed.add(redis)
  redis.disconnect()
}

/** Whether it is one server at one address, rather than the one that sentinels name, or a cluster. */
export function isSingle(redis: RedisConnection): boolean {
  return redis instanceof Redis && !redis.options.sentinels
}

/** Calls `listener` whenever a connection is opened or closed: the next command may reach another server, which may lack what the last one had. */
export function onOtherConnection(redis: RedisConnection, listener: () => void): void {
  const watch = (each: Redis): void => void each.on('ready', listener).on('close', listener)
  if (redis instanceof Cluster) redis.on('+node', watch)
  else watch(redis)
}

function connectionTo(url: string, scripts: Scripts, retryStrategy: (attempt: number) => number): RedisConnection {
  const ofEach = { maxRetriesPerRequest: 0, commandTimeout: COMMAND_TIMEOUT_MS, connectTimeout: CONNECT_MS }
  const common = { lazyConnect: true, enableOfflineQueue: false, scripts }
  if (/^rediss?:\/\//.test(url)) return new Redis(url, { ...ofEach, ...common, retryStrategy })
  const [, scheme, kind, user, password, hosts = '', name, query] = SEVERAL.exec(url) ?? []
  if (!kind) throw new ConfigurationError('REDIS_URL is not an address like redis://:password@host:6379')
  const addresses = hosts.split(',').map((host) => {
    const [, address = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
    return { host: address, port: Number(port ?? (kind === 'sentinel' ? 26_379 : 6_379)) }
  })
  const withCredentials = {
    ...ofEach,
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(scheme === 'rediss' && { tls: {} }),
  }
  if (kind === 'cluster')
    return new Cluster(addresses, { ...common, redisOptions: withCredentials, clusterRetryStrategy: retryStrategy })
  if (!name)
    throw new ConfigurationError('REDIS_URL lacks the name of the master, as in redis+sentinel://host:26379/name')
  const sentinelPassword = new URLSearchParams(query).get('sentinel_password')
  return new Redis({
    ...withCredentials,
    ...common,
    retryStrategy,
    name,
    sentinels: addresses,
    ...(scheme === 'rediss' && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
    ...(sentinelPassword && { sentinelPassword }),
    sentinelRetryStrategy: retryStrategy,
    // A master that was paused still takes commands when it is back.
    failoverDetector: true,
    sentinelReconnectStrategy: () => SENTINEL_AGAIN_MS,
    Connector: Sentinels,
  })
}

interface SentinelInternals {
  connectToSentinel(...given: unknown[]): Redis
}

/** Asks sentinels for the master. ioredis writes to the console that one of them is away, since it does not listen for that. */
class Sentinels extends SentinelConnector {
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0])
    const internals = this as unknown as SentinelInternals
    const { connectToSentinel } = internals
    internals.connectToSentinel = (...given) => connectToSentinel.apply(internals, given).on('error', () => {})
  }
}
