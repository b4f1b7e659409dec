import { OWN, scan } from './cases.ts'
import { median, slope } from './figures.ts'
import type { Window } from './load.ts'
import { measure, runOnce } from './measure.ts'
import type { Sample } from './report.ts'
import { openRate } from './rounds.ts'
import { type Stage, say } from './stage.ts'
import type { Verdict } from './targets.ts'
import { memoryOf } from './usage.ts'
import type { World } from './world.ts'

/** How the memory of a process went over the second half. */
export interface Trend {
  /** MiB, in the middle of the half. */
  holds: number
  perHour: number
  /** What the fitted line grows by over the half, in MiB, and how much of that is called flat. */
  grows: number
  allowed: number
}

/** What a soak came to. */
export interface Soak {
  seconds: number
  /** Check-ins a second. */
  rate: number
  windowSeconds: number
  windows: Window[]
  /** MiB by process, with the seconds since the beginning. */
  memory: { at: number; held: Record<string, number> }[]
  trends: Record<string, Trend>
  verdicts: Verdict[]
}

const SAMPLE_EVERY_MS = 5_000
/** Samples until the terminal hears of them. */
const SAY_EVERY = 12
/** Stretches at either end whose latencies are compared, after one for warming up. */
const ENDS = 3
const MOST_GROWTH_MIB = 8
const MOST_GROWTH_SHARE = 0.05
const MOST_P99_GROWTH = 1.5

/** Checks guests in at 70 % of what the system can, for so many seconds, and watches memory and latency. */
export async function soak(stage: Stage, world: World, seconds: number): Promise<Soak> {
  say('measuring how much there can be')
  const closed = scan('check-in json', 'scanJson')
  await measure(closed, stage, world, { seconds: 5 })
  const reached: Sample[] = []
  for (let round = 0; round < 3; round++) reached.push(await measure(closed, stage, world, { seconds: 5 }))
  const rate = openRate(reached)
  const windowSeconds = Math.min(60, seconds / 10)
  say(`${rate} check-ins a second for ${seconds} s`)

  const base = scan('soak', 'scanJson')
  const memory: Soak['memory'] = []
  let start = 0
  let sampling: NodeJS.Timeout | undefined
  const sample = (): void => {
    const held = Object.entries(memoryOf(stage.pids)).map(([name, { now }]) => [name, now] as const)
    const at = Math.round((performance.now() - start) / 1_000)
    memory.push({ at, held: Object.fromEntries(held) })
    if (memory.length % SAY_EVERY !== 0) return
    const ours = held.filter(([name]) => OWN.includes(name)).map(([name, now]) => `${name} ${now.toFixed(0)}`)
    say(`${at} s, MiB: ${ours.join(', ')}`)
  }
  const watched: typeof base = {
    ...base,
    load: async (...given) => {
      const job = await base.load?.(...given)
      if (!job) throw new Error('a soak is a load')
      start = performance.now()
      sampling = setInterval(sample, SAMPLE_EVERY_MS)
      return { ...job, windowSeconds }
    },
  }
  const { result } = await runOnce(watched, stage, world, { seconds, rate }).finally(() => clearInterval(sampling))
  const windows = result.windows ?? []
  const trends = Object.fromEntries(Object.keys(stage.pids).map((name) => [name, trendOf(memory, name, seconds / 2)]))
  return { seconds, rate, windowSeconds, windows, memory, trends, verdicts: verdictsOf(windows, trends) }
}

/** The trend of a process's memory after the first `from` seconds. */
export function trendOf(memory: Soak['memory'], name: string, from: number): Trend {
  const points = memory.filter(({ at }) => at >= from).map(({ at, held }) => ({ x: at, y: held[name] ?? 0 }))
  const perSecond = slope(points)
  const holds = median(points.map(({ y }) => y))
  const length = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0)
  const allowed = Math.max(MOST_GROWTH_MIB, MOST_GROWTH_SHARE * holds)
  return { holds, perHour: perSecond * 3_600, grows: perSecond * length, allowed }
}

function verdictsOf(windows: Window[], trends: Record<string, Trend>): Verdict[] {
  const p99s = windows.map(({ p99 }) => p99)
  const growth = median(p99s.slice(-ENDS)) / median(p99s.slice(1, 1 + ENDS))
  const flat = OWN.flatMap((name): Verdict[] => {
    const trend = trends[name]
    if (!trend) return []
    const { grows, allowed } = trend
    return [
      {
        demand: `memory of ${name} grows`,
        measured: grows,
        bound: allowed,
        sense: '<=',
        unit: 'MiB',
        held: grows <= allowed,
      },
    ]
  })
  const steady: Verdict = {
    demand: 'p99 at the end / beginning',
    measured: growth,
    bound: MOST_P99_GROWTH,
    sense: '<=',
    unit: 'x',
    held: growth <= MOST_P99_GROWTH,
  }
  return [...flat, steady]
}

/** Prints latencies and memory over time. */
export function printSoak({ windows, windowSeconds, trends }: Soak): void {
  console.log('seconds      req/s   p50 ms   p99 ms')
  for (const [index, { requests, p50, p99 }] of windows.entries()) {
    const cells = [(requests / windowSeconds).toFixed(0), p50.toFixed(2), p99.toFixed(2)]
    console.log(String(Math.round(index * windowSeconds)).padEnd(9) + cells.map((cell) => cell.padStart(9)).join(''))
  }
  console.log('\nmemory over the second half: MiB, MiB an hour')
  for (const [name, { holds, perHour }] of Object.entries(trends)) {
    console.log(name.padEnd(18) + holds.toFixed(0).padStart(8) + perHour.toFixed(1).padStart(10))
  }
}
