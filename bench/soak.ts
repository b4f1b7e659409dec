import { OWN } from './case.ts'
import { median, percent, quantile, slope } from './figures.ts'
import { measure } from './measure.ts'
import { OPEN_PART, openLoop } from './open-loop.ts'
import type { TargetResult } from './report.ts'
import { scan } from './scan-cases.ts'
import { type Stage, say } from './stage.ts'
import { verdict } from './targets.ts'
import { memoryOf } from './usage.ts'
import type { BenchWorld } from './world.ts'

/** The memory of a process over the second half. */
interface Trend {
  /** The median, in MiB. */
  holds: number
  /** The slope of the fitted line, in MiB. */
  perHour: number
  /** By how much the fitted line grows over the half, in MiB, and how much growth counts as flat. */
  grows: number
  allowed: number
}

/** Latencies of an interval in ms, at `rate` of `most` possible requests a second. */
export interface Latencies {
  /** Seconds since the start. */
  at: number
  most: number
  rate: number
  p50: number
  p99: number
  /** The share of the machine's time that its host gave to others. */
  stolen: number
}

/** The result of a soak. */
interface Soak {
  seconds: number
  intervals: Latencies[]
  /** MiB by process, and the seconds since the start. */
  memory: { at: number; held: Record<string, number> }[]
  trends: Record<string, Trend>
  verdicts: TargetResult[]
}

const SAMPLE_EVERY_MS = 5_000
/** The first and the last seconds whose latencies are compared, after one minute of warming up. */
const END_SECONDS = 180
const WARM_SECONDS = 60
const MAX_GROWTH_MIB = 8
const MAX_GROWTH_SHARE = 0.05
const MAX_P99_GROWTH = 1.5

/** Checks guests in at 70 % of capacity for `seconds`, and records memory and latency. */
export async function soak(stage: Stage, world: BenchWorld, seconds: number): Promise<Soak> {
  const each = scan('soak', 'scanJson')
  say('warming up')
  await measure(each, stage, world, { seconds: 10 })
  const memory: Soak['memory'] = []
  const intervals: Latencies[] = []
  const start = performance.now()
  const sinceStart = (): number => Math.round((performance.now() - start) / 1_000)
  const sampling = setInterval(() => {
    const held = Object.entries(memoryOf(stage.pids)).map(([name, { now }]) => [name, now] as const)
    memory.push({ at: sinceStart(), held: Object.fromEntries(held) })
  }, SAMPLE_EVERY_MS)
  try {
    for await (const { most, rate, latencies, stolen } of openLoop(each, stage, world, seconds * OPEN_PART)) {
      const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
      const interval = { at: sinceStart(), most, rate, p50, p99, stolen }
      intervals.push(interval)
      const ours = OWN.map((name) => `${name} ${memory.at(-1)?.held[name]?.toFixed(0)}`)
      say(
        `${interval.at} s, ${rate} a second, p99 ${p99.toFixed(1)} ms, ${percent(stolen)} stolen; MiB: ${ours.join(', ')}`,
      )
    }
  } finally {
    clearInterval(sampling)
  }
  const trends = Object.fromEntries(Object.keys(stage.pids).map((name) => [name, trendOf(memory, name, seconds / 2)]))
  return { seconds, intervals, memory, trends, verdicts: verdictsOf(intervals, trends) }
}

/** The trend of a process's memory after the first `from` seconds. */
export function trendOf(memory: Soak['memory'], name: string, from: number): Trend {
  const points = memory.filter(({ at }) => at >= from).map(({ at, held }) => ({ x: at, y: held[name] ?? 0 }))
  const perSecond = slope(points)
  const holds = median(points.map(({ y }) => y))
  const length = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0)
  const allowed = Math.max(MAX_GROWTH_MIB, MAX_GROWTH_SHARE * holds)
  return { holds, perHour: perSecond * 3_600, grows: perSecond * length, allowed }
}

function verdictsOf(intervals: Latencies[], trends: Record<string, Trend>): TargetResult[] {
  const end = intervals.at(-1)?.at ?? 0
  const p99 = (from: number, to: number): number =>
    median(intervals.filter(({ at }) => at > from && at <= to).map((interval) => interval.p99))
  const growth = p99(end - END_SECONDS, end) / p99(WARM_SECONDS, WARM_SECONDS + END_SECONDS)
  const flat = OWN.flatMap((name) => {
    const trend = trends[name]
    return trend ? [verdict(`memory of ${name} grows`, trend.grows, '<=', trend.allowed, 'MiB')] : []
  })
  return [...flat, verdict('p99 at the end / beginning', growth, '<=', MAX_P99_GROWTH, 'x')]
}

/** Prints the latencies of each interval and the memory of each process. */
export function printSoak({ intervals, trends }: Soak): void {
  console.log('seconds      most    req/s   p50 ms   p99 ms   stolen')
  for (const { at, most, rate, p50, p99, stolen } of intervals) {
    const cells = [most.toFixed(0), rate.toFixed(0), p50.toFixed(2), p99.toFixed(2), percent(stolen)]
    console.log(String(at).padEnd(9) + cells.map((cell) => cell.padStart(9)).join(''))
  }
  console.log('\nmemory over the second half: MiB, MiB an hour')
  for (const [name, { holds, perHour }] of Object.entries(trends)) {
    console.log(name.padEnd(18) + holds.toFixed(0).padStart(8) + perHour.toFixed(1).padStart(10))
  }
}
