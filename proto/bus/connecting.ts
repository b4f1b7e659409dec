import { AuthorizationError, connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node'
import { certificateProblem, untilConnected } from '../process/store-waiting.ts'
import { Bus, type BusOptions, type ConnectedOptions, inboxPrefix } from './bus.ts'

/**
 * Connects to NATS, with retries for `connectTimeoutMs`, and reconnects for ever after. Throws one sentence, without credentials, when no
 * server answers or the credentials are rejected.
 */
export async function connectBus(given: BusOptions): Promise<Bus> {
  const options: ConnectedOptions = {
    deadlineMs: 5_000,
    streamReplicas: 1,
    maxInFlight: 20_000,
    connectTimeoutMs: 30_000,
    cells: [],
    ...given,
  }
  const reach = natsOptions(options.servers)
  const connection = await untilConnected({
    store: 'NATS',
    log: options.log,
    hopelessness,
    limit: { ms: options.connectTimeoutMs, away: 'NATS_URL: no NATS server answers there' },
    connect: () =>
      connect({
        ...reach,
        name: options.name,
        inboxPrefix: inboxPrefix(options),
        maxReconnectAttempts: -1,
        reconnectTimeWait: 100,
        reconnectJitter: 50,
        timeout: 2_000,
        noAsyncTraces: true,
        ignoreAuthErrorAbort: true,
        pingInterval: 2_000,
      }),
  })
  return opened(connection, options)
}

/** Why another attempt to connect would end the same; undefined if it might not. */
function hopelessness(error: Error & { code?: unknown }): string | undefined {
  // A server also rejects clients that were too slow to authenticate; only a violation is about the credentials.
  if (error instanceof AuthorizationError && /violation/i.test(error.message))
    return 'NATS rejects the credentials in NATS_URL; correct them'
  if (error.message.includes("does not support 'tls'")) return 'NATS_URL: the server does not offer TLS'
  return certificateProblem('NATS_URL', error)
}

/** A bus that can receive replies. Throws one sentence if the user may not subscribe to its inbox. */
async function opened(connection: NatsConnection, options: ConnectedOptions): Promise<Bus> {
  const bus = new Bus(connection, options)
  try {
    await bus.subscribed()
    return bus
  } catch (error) {
    await bus.stop()
    throw error
  }
}

/** The NATS client's options; it does not read credentials from addresses itself. Throws one sentence, without credentials, for bad addresses. */
export function natsOptions(servers: string): Pick<NodeConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'> {
  const addresses = servers.split(',').map(readAddress)
  const [{ user, pass, isTls } = { user: '', pass: '', isTls: false }] = addresses
  if (addresses.some((other) => other.user !== user || other.pass !== pass))
    throw new Error('NATS_URL: use the same credentials for every server')
  if (addresses.some((other) => other.isTls !== isTls))
    throw new Error('NATS_URL: use tls:// for every server or for none')
  return { servers: addresses.map(({ host }) => host), ...(user && { user, pass }), ...(isTls && { tls: {} }) }
}

function readAddress(address: string): { host: string; user: string; pass: string; isTls: boolean } {
  try {
    const text = address.includes('://') ? address.trim() : `nats://${address.trim()}`
    const { host, username, password, protocol } = new URL(text)
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
    if (host) return { host, user, pass, isTls: protocol === 'tls:' }
  } catch {
    // The error would repeat the address.
  }
  throw new Error('NATS_URL is not an address like nats://user:password@host:4222')
}
