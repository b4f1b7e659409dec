import { calling, serving } from '@gatehouse/proto/telemetry/bus-calls.ts'
import { countLookups, decisions, flushDuration, flushSize } from '@gatehouse/proto/telemetry/metrics.ts'
import { currentSpan, inSharedSpan, inside, isTracing, tracedBy } from '@gatehouse/proto/telemetry/tracing.ts'
import { type BenchCase, OWN } from './case.ts'
import { median } from './figures.ts'
import { measure } from './measure.ts'
import { list, pageAt } from './other-cases.ts'
import { printTable, type ReportRow, rowsOf, type TargetResult } from './report.ts'
import { inRounds, makeWorld } from './rounds.ts'
import { scan } from './scan-cases.ts'
import { seedEvent } from './seeding.ts'
import { pidsOf, type Stage } from './stage.ts'
import { verdict } from './targets.ts'
import { memoryOf } from './usage.ts'
import { type BenchWorld, type Stopping, startSystem } from './world.ts'

/* `npm run bench -- --telemetry`: what telemetry costs check-ins and lists, off and on, in systems that take turns. */

/** Systems by what is on, and the share of traces that are recorded. */
const systems = { off: undefined, 'metrics, 1 % of traces': 0.01, 'metrics, all traces': 1 } as const

/** What telemetry costs. */
interface TelemetryCosts {
  rows: ReportRow[]
  /** Microseconds that a check-in spends on telemetry that is off, and CPU microseconds of a check-in in all processes. */
  offMicroseconds: number
  checkInMicroseconds: number
  /** MiB by system and process. */
  memory: Record<string, Record<string, number>>
  verdicts: TargetResult[]
}

/** The share of a check-in's CPU that telemetry may take while it is off, and the CPU of one with metrics and one trace in a hundred. */
const MAX_OFF = 0.02
const MAX_ON = 1.25

/** Measures the systems in turns; the first is that of the stage. */
export async function measureTelemetry(
  stage: Stage,
  stopping: Stopping,
  { seconds, rounds, guests }: { seconds: number; rounds: number; guests: number },
): Promise<TelemetryCosts> {
  const stages = new Map<string, Stage>()
  for (const [name, share] of Object.entries(systems)) {
    stages.set(name, share === undefined ? stage : await withTelemetry(stage, share, stopping))
  }
  const worlds = new Map<string, BenchWorld>()
  for (const [name, each] of stages) worlds.set(name, await makeWorld(each, guests))
  const cases = [...stages.keys()].flatMap(casesOf)
  const samples = await inRounds(cases, rounds, ({ system, ...each }) =>
    measure(each, stages.get(system) as Stage, worlds.get(system) as BenchWorld, { seconds }),
  )
  const rows = rowsOf(cases, samples)
  const offMicroseconds = await costWhileOff()
  const checkInMicroseconds = (rows[0]?.cpuTotal ?? 0) * 1_000
  const memory = Object.fromEntries([...stages].map(([name, { pids }]) => [name, ownMemory(pids)]))
  const on = rows.find(({ name }) => name === 'check-in, metrics, 1 % of traces')
  return {
    rows,
    offMicroseconds,
    checkInMicroseconds,
    memory,
    verdicts: [
      verdict('telemetry off, share of CPU', offMicroseconds / checkInMicroseconds, '<=', MAX_OFF, 'x'),
      verdict('CPU with 1 % of traces / off', on?.cpuRatio ?? Number.POSITIVE_INFINITY, '<=', MAX_ON, 'x'),
    ],
  }
}

/** Prints the figures. */
export function printTelemetry({ rows, offMicroseconds, checkInMicroseconds, memory }: TelemetryCosts): void {
  printTable(rows)
  const [off, all] = [offMicroseconds, checkInMicroseconds].map((each) => each.toFixed(2))
  console.log(`\nTelemetry which is off takes ${off} of the ${all} µs of CPU of a check-in.`)
  for (const [system, held] of Object.entries(memory)) {
    const each = Object.entries(held).map(([name, mebibytes]) => `${name} ${mebibytes.toFixed(0)}`)
    console.log(`MiB, ${system}: ${each.join(', ')}`)
  }
}

function casesOf(system: string): (BenchCase & { system: string })[] {
  const comparedWith = (name: string) => (system === 'off' ? {} : { baseline: `${name}, off` })
  return [
    { ...scan(`check-in, ${system}`, 'scanJson'), ...comparedWith('check-in'), system },
    { ...list(`guests page 1, ${system}`, pageAt(1)), ...comparedWith('guests page 1'), system },
  ]
}

/** Another system on the same stores that sends to a collector that drops everything. */
async function withTelemetry(stage: Stage, share: number, stopping: Stopping): Promise<Stage> {
  const settings = {
    operations_port: 0,
    otel_exporter_otlp_endpoint: stage.urls.receiver ?? '',
    otel_traces_sampler: 'parentbased_traceidratio',
    otel_traces_sampler_arg: share,
    otel_metric_export_interval: 10_000,
  }
  const env = Object.fromEntries(['gateway', 'hooks', ...OWN].map((name) => [name, settings]))
  const system = await startSystem(stage.stack, new Set(), env, stopping)
  const seed: Stage['seed'] = async (event) => {
    await seedEvent(stage.stack.mongodbUrl, system.namespace, event, () => {})
    return 0
  }
  return { ...stage, system, seed, pids: { ...stage.pids, ...pidsOf(system.processes) } }
}

function ownMemory(pids: Record<string, number>): Record<string, number> {
  const own = Object.fromEntries(OWN.map((name) => [name, pids[name] as number]))
  return Object.fromEntries(Object.entries(memoryOf(own)).map(([name, { now }]) => [name, now]))
}

const RUNS = 200_000
const BATCHES = 9

/** Microseconds of all that a check-in calls of telemetry, in this process, where it is off. */
async function costWhileOff(): Promise<number> {
  const work = async (): Promise<void> => {}
  const reply = Promise.resolve()
  const answer = (): Promise<void> => reply
  const taken: number[] = []
  for (let batch = 0; batch < BATCHES; batch++) {
    const [with_, without] = [await timed(checkIn), await timed(nothing)]
    taken.push((with_ - without) / RUNS)
  }
  return median(taken) * 1_000

  async function timed(each: () => Promise<unknown>): Promise<number> {
    const begun = performance.now()
    for (let run = 0; run < RUNS; run++) await each()
    return performance.now() - begun
  }

  /** The same work without telemetry. */
  async function nothing(): Promise<void> {
    await answer()
    await answer()
    await work()
  }

  /** What gateway and checkin call for a check-in that has a flush of its own. */
  async function checkIn(): Promise<void> {
    countLookups('tokens', 1, 0)
    countLookups('events', 1, 0)
    await calling('checkin.access_controls.create', {}, answer)
    await serving('checkin.access_controls.create', {}, answer)
    countLookups('rights', 1, 0)
    countLookups('guests', 1, 0)
    currentSpan()
    flushSize.record(1)
    if (isTracing()) await inSharedSpan('checkin.flush', {}, [], work)
    else await work()
    inside(undefined, () => {})
    flushDuration.record(0)
    decisions.add(1, { status: 'granted' })
    tracedBy()
  }
}
