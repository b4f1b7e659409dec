import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { execute } from '@gatehouse/local/execute'
import { reservePort } from '@gatehouse/local/ports'
import { programOf } from '@gatehouse/local/program'
import { type Stack, type StoreName, startStack } from '@gatehouse/local/stack'
import { type Supervised, type SuperviseLog, supervise } from '@gatehouse/local/supervise'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { accounts } from '@gatehouse/sso/resources'
import { natsUsersOf } from '../services/bus-users.ts'
import { mainOf } from '../services/services.ts'
import { NATS_SERVERS, type NatsCluster, startNatsCluster } from './cluster/nats-cluster.ts'
import type { Phase } from './phases.ts'
import { familyOf, sendSignal } from './signals.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const NAMESPACE = 'drill'
const READY = '"msg":"ready"'
/** The same for all processes of a drill. */
const SECRETS_KEY = randomBytes(32).toString('base64')

/** A gateway ends so long after no request is sent to it any more, as behind a load balancer. */
const UNLISTED_MS = 1_000

/** The processes of the stack. */
export const STORES = ['redis', 'nats', 'postgres', 'mongod']

/** The processes of the system itself that a drill needs, and their further settings. */
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
  /** Kills all processes and destroys the data of all stores. */
  destroy(): Promise<void>
  /** Starts everything that was destroyed, with a copy of the folder of a backup. */
  restore(backup: string): Promise<void>
  /** How often the process of a name became ready. */
  servedOf(name: string): number
  /** Starts a process with these further settings beside that of a name, and ends the latter as an upgrade does when the new one serves. */
  replace(name: string, settings: Record<string, string>): Promise<void>
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
  const servers: StoreName[] = isClustered ? ['redis', 'mongodb'] : ['nats', 'redis', 'mongodb']
  const natsUsers = { ...natsUsersOf(NAMESPACE), ...(natsUser && { [natsUser]: undefined }) }
  const startStores = (): Promise<Stack> => startStack({ dataDir, throwAway: true, servers, natsUsers, log })
  let stack = await startStores()
  let cluster: NatsCluster | undefined
  const running = new Map<string, Supervised>()
  /** Also those that are being replaced. */
  const started = new Set<Supervised>()
  let stopping: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await Promise.all([...started].map((each) => each.stop()))
    started.clear()
    await cluster?.stop()
    await stack.stop()
  }
  let restoring: Promise<void> = Promise.resolve()
  const stop = (): Promise<void> => {
    stopping ??= restoring.then(end, end)
    return stopping
  }
  const giveUp = (): void => void stop().catch(() => {})
  const pidOf = (name: string): number | undefined =>
    running.get(name)?.pid ?? cluster?.pidOf(name) ?? stack.processes[name]
  try {
    signal.throwIfAborted()
    signal.addEventListener('abort', giveUp)
    if (isClustered) cluster = await startNatsCluster(dataDir, natsUsers, log)
    const natsUrlOf = (user: string, nth: number): string =>
      cluster?.urlOf(user, NATS_SERVERS[nth % NATS_SERVERS.length] as string) ?? stack.natsUrlOf(user)
    const ports: Record<string, number> = { 'gateway-1': await reservePort(), 'gateway-2': await reservePort() }
    const urlOf = (port: number): string => `http://127.0.0.1:${port}`
    const start = (name: string, more: Record<string, string> = {}): Supervised => {
      if (stopping) throw new Error('the system is being stopped')
      const port = ports[name]
      const address = port === undefined ? {} : { HOST: '127.0.0.1', PORT: String(port) }
      const natsUrl = natsUrlOf(kindOf(name), processes.indexOf(name))
      const env = { NATS_URL: natsUrl, ...settings, ...address, ...more }
      const process = startProcess(name, stack, env, serves, say)
      started.add(process)
      return process
    }
    const startProcesses = async (): Promise<void> => {
      for (const name of processes) running.set(name, start(name))
      await Promise.all([...running.values()].map(({ ready }) => ready))
    }
    waitFor(() => `${processes.filter((name) => !served.has(name))} to serve`)
    await startProcesses()
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
    const gateways = Object.values(ports).map(urlOf)
    return {
      ...account,
      gateways,
      dataDir,
      get redisUrl() {
        return stack.redisUrl
      },
      namespace: NAMESPACE,
      natsUrlOf: (user) => natsUrlOf(user, 0),
      cluster,
      pidOf,
      destroy: async () => {
        const pids = [...processes, ...stores].map(pidOf).filter((pid) => pid !== undefined)
        for (const pid of (await Promise.all(pids.map(familyOf))).flat()) sendSignal(pid, 'SIGKILL')
        await end()
      },
      restore: (backup) => {
        restoring = (async () => {
          await execute('cp', ['--archive', backup, dataDir])
          stack = await startStores()
          await startProcesses()
        })()
        return restoring
      },
      servedOf: (name) => served.get(name) ?? 0,
      replace: async (name, more) => {
        const old = running.get(name)
        const before = ports[name]
        if (before !== undefined) ports[name] = await reservePort()
        const next = start(name, more)
        await next.ready
        running.set(name, next)
        if (before !== undefined) {
          gateways[gateways.indexOf(urlOf(before))] = urlOf(ports[name] as number)
          await sleep(UNLISTED_MS)
        }
        await old?.stop()
      },
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
export function kindOf(name: string): string {
  return name.replace(/-\d$/, '')
}

function startProcess(
  name: string,
  stack: Stack,
  env: Record<string, string>,
  serves: (name: string) => void,
  say: (line: string) => void,
): Supervised {
  const program = programOf(mainOf(kindOf(name)), join(root, 'node_modules/.cache/gatehouse'))
  return supervise({
    name,
    ...program,
    // A batch may take 20 s, and is answered before its process ends.
    stopTimeoutMs: 30_000,
    log: (message) => message.includes('does not stop') && say(`  ${message}`),
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
    readyLine: READY,
    onLine: (line) => {
      if (line.includes(READY)) serves(name)
      else if (!/"level":(30|40)\b/.test(line)) say(`  ${name}: ${shortened(line)}`)
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
