import { randomBytes, randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isFree } from '@gatehouse/local/ports'
import { programOf } from '@gatehouse/local/program'
import { type Server, type Stack, startStack } from '@gatehouse/local/stack'
import { type Supervised, type SuperviseLog, supervise } from '@gatehouse/local/supervise'
import { connectBus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { accounts } from '@gatehouse/sso/resources'
import { natsUsersOf } from '../services/bus-users.ts'
import { mainOf } from '../services/services.ts'
import { NATS_SERVERS, type NatsCluster, startNatsCluster } from './cluster/nats-cluster.ts'
import type { Phase } from './phases.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const NAMESPACE = 'drill'
/** The same for all processes of a drill. */
const SECRETS_KEY = randomBytes(32).toString('base64')

/** The processes of the stack. */
export const STORES = ['redis', 'nats', 'postgres', 'mongod']

/** The processes of the system itself which a drill needs, and their further settings. */
export interface Cast {
  processes: readonly string[]
  /** The processes of its stores. */
  stores: readonly string[]
  settings?: Record<string, string>
  /** A further user of NATS, who may do everything. */
  natsUser?: string
}

/** A real system of many processes, with temporary data. */
export interface DrillSystem {
  gateways: string[]
  account_id: string
  auth_token: string
  dataDir: string
  redisUrl: string
  namespace: string
  natsUrlOf(user: string): string
  /** The current process of a name. */
  pidOf(name: string): number | undefined
  /** The cluster of NATS servers, in a drill on one. */
  cluster: NatsCluster | undefined
  /** How often the process of a name became ready. */
  servedOf(name: string): number
  stop(): Promise<void>
}

/** Starts the system; `say` gets the errors that its processes log. Ends its processes if the phase is over before it is ready. */
export async function startDrillSystem(
  { processes, stores, settings = {}, natsUser }: Cast,
  say: (line: string) => void,
  { signal, waitFor }: Phase,
): Promise<DrillSystem> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-drill-'))
  // Also if a process does not end: then it is killed with this one.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  waitFor('the servers of the stack')
  const served = new Map<string, number>()
  const serves = (name: string): void => void served.set(name, (served.get(name) ?? 0) + 1)
  const log: SuperviseLog = (message, { process: name }) => {
    if (message.endsWith(' is ready')) serves(String(name))
  }
  const isClustered = stores.includes(NATS_SERVERS[0])
  const servers: Server[] = isClustered ? ['redis', 'mongodb'] : ['nats', 'redis', 'mongodb']
  const natsUsers = { ...natsUsersOf(NAMESPACE), ...(natsUser && { [natsUser]: undefined }) }
  const stack = await startStack({ dataDir, throwAway: true, servers, natsUsers, log })
  let cluster: NatsCluster | undefined
  const running = new Map<string, Supervised>()
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      await Promise.all([...running.values()].map((each) => each.stop()))
      await cluster?.stop()
      await stack.stop()
    })()
    return stopping
  }
  const giveUp = (): void => void stop().catch(() => {})
  try {
    signal.throwIfAborted()
    signal.addEventListener('abort', giveUp)
    if (isClustered) cluster = await startNatsCluster(dataDir, natsUsers, log)
    const natsUrlOf = (user: string, nth: number): string =>
      cluster?.urlOf(user, NATS_SERVERS[nth % NATS_SERVERS.length] as string) ?? stack.natsUrlOf(user)
    const port = await freePort()
    const ports = { 'gateway-1': port, 'gateway-2': await freePort(port) }
    for (const [nth, name] of processes.entries()) {
      const port = (ports as Record<string, number>)[name]
      const address = port === undefined ? {} : { HOST: '127.0.0.1', PORT: String(port) }
      const env = { NATS_URL: natsUrlOf(kindOf(name), nth), ...settings, ...address }
      running.set(name, startProcess(name, stack, env, serves, say))
    }
    waitFor(() => `${processes.filter((name) => !served.has(name))} to serve`)
    await Promise.all([...running.values()].map(({ ready }) => ready))
    waitFor('the first account')
    const bus = await connectBus({
      servers: natsUrlOf('cli', 0),
      namespace: NAMESPACE,
      name: 'cli',
      log: makeLog('', 'silent'),
    })
    const account = await clientOf(bus, accounts).bootstrap({ body: { slug: 'drill' } })
    await bus.stop()
    signal.throwIfAborted()
    return {
      ...account,
      gateways: Object.values(ports).map((port) => `http://127.0.0.1:${port}`),
      dataDir,
      redisUrl: stack.redisUrl,
      namespace: NAMESPACE,
      natsUrlOf: (user) => natsUrlOf(user, 0),
      cluster,
      pidOf: (name) => running.get(name)?.pid ?? cluster?.pidOf(name) ?? stack.processes[name],
      servedOf: (name) => served.get(name) ?? 0,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** The service, or gateway, of a process: `checkin` of `checkin-2`. */
function kindOf(name: string): string {
  return name.replace(/-\d$/, '')
}

function startProcess(
  name: string,
  stack: Stack,
  env: Record<string, string>,
  serves: (name: string) => void,
  say: (line: string) => void,
): Supervised {
  let markReady = (): void => {}
  const program = programOf(mainOf(kindOf(name)), join(root, 'node_modules/.cache/gatehouse'))
  return supervise({
    name,
    ...program,
    cwd: root,
    env: {
      ...program.env,
      PATH: process.env.PATH,
      MONGODB_URL: stack.mongodbUrl,
      REDIS_URL: stack.redisUrl,
      NAMESPACE,
      SECRETS_KEY,
      LOG_LEVEL: 'info',
      RATE_LIMITS: 'off',
      ...env,
    },
    ready: () =>
      new Promise((resolve) => {
        markReady = resolve
      }),
    onLine: (line) => {
      if (line.includes('"msg":"ready"')) {
        serves(name)
        markReady()
      } else if (!/"level":(30|40)\b/.test(line)) say(`  ${name}: ${shortened(line)}`)
    },
  })
}

/** The message and error of a log line; other lines unchanged. */
function shortened(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } }
    return `${msg}: ${err?.message ?? ''}`
  } catch {
    return line.slice(0, 300)
  }
}

/** A port below the range of outgoing connections, so that it is still free when its gateway restarts. */
async function freePort(other?: number): Promise<number> {
  for (;;) {
    const port = randomInt(17_000, 32_000)
    if (port !== other && (await isFree(port))) return port
  }
}
