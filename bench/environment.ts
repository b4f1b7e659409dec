import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Api, apiOf } from '@gatehouse/test/harness/api.ts'
import { startProcess } from '@gatehouse/test/harness/process.ts'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import { type RealSystem, startRealSystem } from '@gatehouse/test/load/system.ts'
import { type ServiceName, serviceNames } from '../services/services.ts'
import { type BenchEvent, makeEvent, type Terms } from './event.ts'
import type { Job } from './job.ts'
import { startWorker, type Worker } from './workers/worker.ts'

/** The NATS user of the bench and its peers, who may do everything. */
export const BENCH = 'bench'
/** The folder of the results. */
export const RESULTS = join(import.meta.dirname, 'results')

/** Services that always run. hooks says which domain events are wanted: without it all would be published. */
const ALWAYS: ServiceName[] = ['sso', 'guests', 'checkin', 'hooks']
/** All processes that a system can have. */
export const PROCESSES = ['gateway', ...serviceNames]
/** The processes of the stores. */
export const STORES = ['nats', 'redis', 'postgres', 'mongod']
/** The files in `peers`, each after those that it needs. */
const PEERS = ['plain-service', 'plain-gateway', 'receiver', 'watcher', 'oidc-provider', 'pages']
const MAIL_SERVER = 'smtp-sink'

/** All that runs during a bench. */
export interface Environment {
  system: RealSystem
  /** The URL of the gateway. */
  url: string
  api: Api
  /** URLs of the peers, by name. */
  peers: Record<string, string>
  /** The guests of the event, unless another number is given. */
  guests: number
  /** The guests of an event that is taken over. */
  migrated: number
  /** An event with so many guests, which is filled at the first call. */
  event(guests?: number, terms?: Terms): Promise<BenchEvent>
  /** Starts the worker of a job, unless it runs. */
  worker(name: Job['worker']): Promise<Worker<Job>>
  /** Another system, on stores of its own, with metrics and one trace in a hundred, which a collector gets that drops everything. */
  withTelemetry(): Promise<Environment>
  /** Process ids by name: of all processes, or of these. */
  pidsOf(names?: string[]): Record<string, number>
}

interface EnvironmentOptions {
  /** The processes that are needed. */
  needed: Set<string>
  guests: number
  migrated: number
  /** Processes that write a CPU profile into bench/results when they end. */
  profiled: string[]
  phase: Phase
  say: (line: string) => void
  /** Further settings of all processes. */
  settings?: Record<string, string> | undefined
  /** Gets the functions that stop what was started, in the order of starting. */
  stopping: (() => unknown)[]
}

/** Starts the stores, the system, and the peers that are needed. */
export async function startEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const { needed, guests, migrated, profiled, phase, say, stopping, settings } = options
  const pids: Record<string, () => number | undefined> = {}
  const peers: Record<string, string> = {}
  const startPeer = async (name: string, config: object = {}): Promise<void> => {
    const peer = await startProcess(`bench/peers/${name}.ts`, { ...settings, ...config, node_env: 'production' }, [])
    stopping.push(() => peer.stop())
    peers[name] = peer.url
    pids[name] = () => peer.pid
  }
  if (needed.has(MAIL_SERVER)) await startPeer(MAIL_SERVER)
  await mkdir(RESULTS, { recursive: true })
  const processes = [...ALWAYS, ...serviceNames.filter((name) => needed.has(name) && !ALWAYS.includes(name)), 'gateway']
  const plan = {
    processes,
    natsUser: BENCH,
    settings: { ...settingsFor(peers[MAIL_SERVER]), ...settings },
    settingsOf: profiling(profiled),
  }
  const system = await startRealSystem(plan, say, phase)
  stopping.push(() => system.stop())
  for (const name of [...processes, ...STORES]) pids[name] = () => system.pidOf(name)
  const stores = { mongodb_url: system.mongodbUrl, redis_url: system.redisUrl, nats_url: system.natsUrlOf(BENCH) }
  for (const name of PEERS) if (needed.has(name)) await startPeer(name, { ...stores, namespace: 'peers' })
  const [url = ''] = system.gateways
  const api = apiOf(url, system.auth_token)
  const workers = new Map<string, Promise<Worker<Job>>>()
  const start = async (name: string): Promise<Worker<Job>> => {
    const env = { MONGODB_URL: stores.mongodb_url, NATS_URL: stores.nats_url, NAMESPACE: system.namespace }
    const worker = await startWorker<Job>(name, env)
    stopping.push(() => worker.stop())
    pids[name] = () => worker.pid
    return worker
  }
  const worker: Environment['worker'] = (name) => workers.getOrInsertComputed(name, () => start(name))
  const run = async (job: Job): Promise<unknown> => (await worker(job.worker)).run(job)
  let telemetry: Promise<Environment> | undefined
  const events = new Map<string, Promise<BenchEvent>>()
  return {
    system,
    url,
    api,
    peers,
    guests,
    migrated,
    event: (count = guests, terms = 'none') =>
      events.getOrInsertComputed(`${count} ${terms}`, () => makeEvent(system, api, run, count, terms)),
    worker,
    withTelemetry: () =>
      (telemetry ??= startEnvironment({ ...options, needed: new Set(), settings: telemetrySettings(peers.receiver) })),
    pidsOf: (names = Object.keys(pids)) =>
      Object.fromEntries(names.flatMap((name) => ((pid) => (pid ? [[name, pid]] : []))(pids[name]?.()))),
  }
}

/** The settings of all processes; the mail service sends to the server at `sink`. */
function settingsFor(sink: string | undefined): Record<string, string> {
  return {
    DEADLINE_MS: '30000',
    // The receiver of webhooks is on this machine.
    GATEHOUSE_ALLOW_PRIVATE_HOOKS: 'true',
    ...(sink && {
      SMTP_URL: `smtp://127.0.0.1:${new URL(sink).searchParams.get('smtp')}`,
      MAIL_FROM: 'noreply@gatehouse.example',
    }),
  }
}

function telemetrySettings(collector = ''): Record<string, string> {
  return {
    OPERATIONS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
    OTEL_METRIC_EXPORT_INTERVAL: '10000',
  }
}

function profiling(profiled: string[]): (name: string) => Record<string, string> {
  return (name) =>
    profiled.includes(name)
      ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${RESULTS} --cpu-prof-name=${name}.cpuprofile` }
      : {}
}
