import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { retried } from '@gatehouse/cli/retry.ts'
import { execute } from '@gatehouse/local/execute'
import { reservePort } from '@gatehouse/local/ports'
import { programOf } from '@gatehouse/local/program'
import { type Stack, startStack } from '@gatehouse/local/stack'
import type { StoreName } from '@gatehouse/local/stack-options'
import { type Supervised, type SuperviseLog, type Supervision, supervise } from '@gatehouse/local/supervise'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { natsUsersOf } from '../../services/bus-users.ts'
import { mainOf } from '../../services/services.ts'
import { openAccount, type TestAccount } from '../harness/account.ts'
import { SECRETS_KEY } from '../harness/secrets-key.ts'
import { NATS_SERVERS, type NatsCluster, startNatsCluster } from './nats-cluster.ts'
import type { Phase } from './phases.ts'
import { familyOf, sendSignal } from './processes.ts'

const root = join(import.meta.dirname, '../..')
export const NAMESPACE = 'load'
const READY = '"msg":"ready"'
/** The process of several services, which `SERVICES` names. */
export const SEVERAL = 'services'

/** A gateway ends so long after no request is sent to it any more, as behind a load balancer. */
const UNLISTED_MS = 1_000

type Settings = Record<string, string>

/** What a system consists of. */
export interface SystemPlan {
  /** `gateway` and names of services, with a number where there are several: `checkin-2`. */
  processes: readonly string[]
  /** Runs three NATS servers that are a cluster. */
  isClustered?: boolean
  /** Further settings of all processes. */
  settings?: Settings
  /** Further settings of a process. */
  settingsOf?: (name: string) => Settings
  /** A further user of NATS, who may do everything. */
  natsUser?: string
  /** The system is a cell of this namespace, on a NATS server that is there already. */
  cell?: { namespace: string; natsUrlOf(user: string): string; slug: string }
}

/** The processes of a plan's stores. */
export function storesOf({ isClustered }: SystemPlan): string[] {
  return ['redis', ...(isClustered ? NATS_SERVERS : ['nats']), 'postgres', 'mongod']
}

/** What devices at doors see of a system, and who looks after it: addresses of gateways, an account, and whether processes serve. */
export interface DoorSystem extends TestAccount {
  gateways: string[]
  /** How often the process of a name became ready. */
  servedOf(name: string): number
  stop(): Promise<void>
}

/** A system of many processes on stores of its own, with temporary data and an account. */
export interface RealSystem extends DoorSystem {
  dataDir: string
  mongodbUrl: string
  redisUrl: string
  namespace: string
  natsUrlOf(user: string): string
  /** Creates another account. */
  account(slug: string): Promise<TestAccount>
  /** The current process of a name. */
  pidOf(name: string): number | undefined
  cluster: NatsCluster | undefined
  /** Kills all processes and destroys the data of all stores. */
  destroy(): Promise<void>
  /** Starts everything that was destroyed, with a copy of the folder of a backup. */
  restore(backup: string): Promise<void>
  /** Starts a process with these further settings beside that of a name, and ends the latter as an upgrade does when the new one serves. */
  replace(name: string, settings: Settings): Promise<void>
}

/** Starts a system; `say` gets the errors that its processes log. Ends its processes if the phase is over before it is ready. */
export async function startRealSystem(
  plan: SystemPlan,
  say: (line: string) => void,
  { signal, waitFor }: Phase,
): Promise<RealSystem> {
  const { processes, isClustered, natsUser, cell } = plan
  const namespace = cell?.namespace ?? NAMESPACE
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-load-'))
  // Also if a process does not end: then it is killed with this one.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  waitFor('the servers of the stack')
  const served = new Map<string, number>()
  const serves = (name: string): void => void served.set(name, (served.get(name) ?? 0) + 1)
  const log: SuperviseLog = (message, { process: name }) => {
    if (message.endsWith(' is ready')) serves(String(name))
  }
  const servers: StoreName[] = [...(isClustered || cell ? [] : ['nats' as const]), 'redis', 'mongodb']
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
  const stop = (): Promise<void> => (stopping ??= restoring.then(end, end))
  const giveUp = (): void => void stop().catch(() => {})
  const pidOf = (name: string): number | undefined =>
    running.get(name)?.pid ?? cluster?.pidOf(name) ?? stack.processes[name]
  try {
    signal.throwIfAborted()
    signal.addEventListener('abort', giveUp)
    if (isClustered) cluster = await startNatsCluster(dataDir, natsUsers, log)
    const natsUrlOf = (user: string, nth = 0): string =>
      cell?.natsUrlOf(user) ??
      cluster?.urlOf(NATS_SERVERS[nth % NATS_SERVERS.length] as string, user) ??
      stack.natsUrlOf(user)
    const ports: Record<string, number> = {}
    for (const name of processes) if (kindOf(name) === 'gateway') ports[name] = await reservePort()
    const urlOf = (port: number): string => `http://127.0.0.1:${port}`
    const start = (name: string, more: Settings = {}): Supervised => {
      if (stopping) throw new Error('the system is being stopped')
      const port = ports[name]
      const env = {
        MONGODB_URL: stack.mongodbUrl,
        REDIS_URL: stack.redisUrl,
        NATS_URL: natsUrlOf(kindOf(name), processes.indexOf(name)),
        NAMESPACE: namespace,
        ...plan.settings,
        ...plan.settingsOf?.(name),
        ...(port !== undefined && { HOST: '127.0.0.1', PORT: String(port) }),
        ...more,
      }
      const process = supervise(processOf(name, env, serves, say))
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
    const account = async (slug: string): Promise<TestAccount> => {
      const config = { servers: natsUrlOf('cli'), namespace, name: 'cli', log: makeLog('', 'silent') }
      const bus = await connectBus(config)
      // Of several services in a process the first may say that it is ready.
      return retried(() => openAccount(bus, slug)).finally(() => bus.stop())
    }
    const first = await account(cell?.slug ?? 'first')
    signal.throwIfAborted()
    const gateways = Object.values(ports).map(urlOf)
    return {
      ...first,
      gateways,
      dataDir,
      get mongodbUrl() {
        return stack.mongodbUrl
      },
      get redisUrl() {
        return stack.redisUrl
      },
      namespace,
      natsUrlOf: (user) => natsUrlOf(user),
      account,
      cluster,
      pidOf,
      destroy: async () => {
        const pids = [...processes, ...storesOf(plan)].map(pidOf).filter((pid) => pid !== undefined)
        for (const pid of pids.flatMap(familyOf)) sendSignal(pid, 'SIGKILL')
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

/** How to run a process of the system, and keep it running. */
export function processOf(
  name: string,
  settings: Settings,
  serves: (name: string) => void,
  say: (line: string) => void,
): Supervision {
  const kind = kindOf(name)
  const program = programOf(
    kind === SEVERAL ? 'services/main.ts' : mainOf(kind),
    join(root, 'node_modules/.cache/gatehouse'),
  )
  return {
    name,
    ...program,
    // A batch may take 20 s, and is answered before its process ends.
    stopTimeoutMs: 30_000,
    log: (message) => message.includes('does not stop') && say(`  ${message}`),
    cwd: root,
    env: {
      ...program.env,
      PATH: process.env.PATH,
      NAMESPACE,
      SECRETS_KEY,
      LOG_LEVEL: 'info',
      RATE_LIMITS: 'off',
      ...settings,
    },
    readyLine: READY,
    onLine: (line) => {
      if (line.includes(READY)) serves(name)
      else if (!/"level":(30|40)\b/.test(line)) say(`  ${name}: ${shortened(line)}`)
    },
  }
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
