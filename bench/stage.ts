import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, startStack } from '@gatehouse/local/stack'
import { type Process, startProcess } from '@gatehouse/test/harness/process.ts'
import { natsUsersOf } from '../services/bus-users.ts'
import type { DriverJob } from './driver.ts'
import type { Export } from './exporter.ts'
import type { Import } from './importer.ts'
import type { MailJob } from './mailer.ts'
import type { Job } from './requests.ts'
import { type SeedEvent, seedEvent } from './seeding.ts'
import { type BenchWorker, startWorker } from './worker.ts'
import { BENCH, type BenchEvent, type BenchSystem, type Stopping, startSystem } from './world.ts'

/** All that runs during a bench. */
export interface Stage {
  stack: Stack
  system: BenchSystem
  /** URLs of the peers, by name. */
  urls: Record<string, string>
  /** Process ids of stores, system, peers and workers, by name. */
  pids: Record<string, number>
  load: BenchWorker<Job>
  driver: BenchWorker<DriverJob>
  exporter: BenchWorker<Export>
  importer: BenchWorker<Import>
  mailer: BenchWorker<MailJob>
  /** Fills an event and gives the seconds that that took. */
  seed(event: SeedEvent): Promise<number>
}

/** The folder of the results. */
export const RESULTS = join(import.meta.dirname, 'results')

/** Files of each peer, by the name of the one that listens; that one comes last. */
const peers: Record<string, string[]> = {
  fastify: ['fastify'],
  'echo-gateway': ['echo-service', 'echo-gateway'],
  'bus-gateway': ['bus-service', 'bus-gateway'],
  'moleculer-gateway': ['moleculer-service', 'moleculer-gateway'],
  'nest-gateway': ['nest-service', 'nest-gateway'],
  'plain-gateway': ['plain-service', 'plain-gateway'],
  'one-process': ['one-process'],
  'synced-file': ['synced-file'],
  receiver: ['receiver'],
  watcher: ['watcher'],
  'oidc-provider': ['oidc-provider'],
  'smtp-sink': ['smtp-sink'],
}

/** Peers that run with the system's flags for node: its own parts, and the floors that show what it could reach. Others run without flags. */
const tuned = new Set(['echo-service', 'echo-gateway', 'bus-service', 'bus-gateway', 'one-process', 'synced-file'])

/** Starts the stores, the system, the `needed` peers and the workers. `settings` are environment variables by process. */
export async function startStage(
  needed: Set<string>,
  profiled: string[],
  stopping: Stopping,
  settings: Record<string, object> = {},
): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  const stack = await startStack({
    dataDir,
    throwAway: true,
    natsUsers: { ...natsUsersOf('*'), [BENCH]: undefined },
    log: () => {},
  })
  stopping.push(() => stack.stop())
  say('preparing')
  const { urls, processes } = await startPeers(stack, `peers-${randomUUID().slice(0, 8)}`, needed, stopping)
  const mail = mailTo(urls['smtp-sink'])
  const system = await startSystem(stack, needed, settingsOf({ ...settings, mail }, profiled), stopping)
  const env = { MONGODB_URL: stack.mongodbUrl, NATS_URL: stack.natsUrlOf(BENCH), NAMESPACE: system.namespace }
  const start = async <Job extends object>(file: string): Promise<BenchWorker<Job>> => {
    const worker = await startWorker<Job>(file, env)
    stopping.push(() => worker.stop())
    return worker
  }
  const workers = {
    load: await start<Job>('load.ts'),
    driver: await start<DriverJob>('driver.ts'),
    exporter: await start<Export>('exporter.ts'),
    importer: await start<Import>('importer.ts'),
    mailer: await start<MailJob>('mailer.ts'),
  }
  return {
    stack,
    system,
    urls,
    pids: { ...stack.processes, ...pidsOf({ ...system.processes, ...processes, ...workers }) },
    ...workers,
    seed: (event) => timed((progress) => seedEvent(stack.mongodbUrl, system.namespace, event, progress)),
  }
}

/** Process ids by name. */
export function pidsOf(processes: Record<string, { pid: number }>): Record<string, number> {
  return Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, pid]))
}

/** The event as `Stage.seed` takes it. */
export function seedEventOf({ event_id, category }: BenchEvent, guests: number, points: string[] = []): SeedEvent {
  return { event_id, category, guests, points }
}

async function startPeers(stack: Stack, namespace: string, needed: Set<string>, stopping: Stopping) {
  const config = {
    nats_url: stack.natsUrlOf(BENCH),
    mongodb_url: stack.mongodbUrl,
    redis_url: stack.redisUrl,
    namespace,
    node_env: 'production',
  }
  const urls: Record<string, string> = {}
  const processes: Record<string, Process> = {}
  for (const [listening, files] of Object.entries(peers)) {
    if (!needed.has(listening)) continue
    for (const file of files) {
      const process = await startProcess(`bench/peers/${file}.ts`, config, tuned.has(file) ? undefined : [])
      stopping.push(() => process.stop())
      processes[file] = process
      urls[file] = process.url
    }
  }
  return { urls, processes }
}

/** The settings of a mail service that sends to the sink. */
function mailTo(sink: string | undefined): object {
  if (!sink) return {}
  const port = new URL(sink).searchParams.get('smtp')
  return { smtp_url: `smtp://127.0.0.1:${port}`, mail_from: 'noreply@gatehouse.example' }
}

/** Settings by process, with those that make some of them write a CPU profile into bench/results when they end. */
function settingsOf(settings: Record<string, object>, profiled: string[]): Record<string, object> {
  const options = `--cpu-prof --cpu-prof-dir=${RESULTS}`
  const profiling = profiled.map((name) => {
    return [name, { ...settings[name], node_options: `${options} --cpu-prof-name=${name}.cpuprofile` }] as const
  })
  return { ...settings, ...Object.fromEntries(profiling) }
}

const PROGRESS_EVERY_MS = 10_000

/** Prints the progress of `fill` and gives the seconds that it took. */
async function timed(fill: (progress: (done: number, all: number) => void) => Promise<void>): Promise<number> {
  const begun = performance.now()
  const seconds = (): number => (performance.now() - begun) / 1_000
  let shown = begun
  await fill((done, all) => {
    const now = performance.now()
    if (now - shown < PROGRESS_EVERY_MS) return
    shown = now
    say(`stored ${done} of ${all} documents in ${seconds().toFixed(0)} s`)
  })
  return seconds()
}

/** Prints a line of progress on stderr. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
