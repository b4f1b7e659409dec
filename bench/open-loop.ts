import type { Case } from './cases.ts'
import { quantile } from './figures.ts'
import { measure, runOnce } from './measure.ts'
import { type BackgroundReport, backgroundOf, type Sample } from './report.ts'
import type { Stage } from './stage.ts'
import { watchStolen } from './usage.ts'
import type { World } from './world.ts'

/** A stretch of an open loop: what the closed loop reached just before, the rate asked for, and how long its answers took. */
export interface Interval {
  /** Requests a second of the closed loop, or what is planned where that is given. */
  most: number
  /** Requests a second, planned. */
  rate: number
  /** Milliseconds, sorted. */
  latencies: number[]
  /** When whoever waited longest was planned, ISO 8601. */
  longestAt?: string | undefined
  /** The share of the machine's time that its host gave to others meanwhile. */
  stolen: number
  cpu: Sample['cpu']
  background?: BackgroundReport
}

/** The share of the closed loop's most that an open loop asks for. */
const OPEN_SHARE = 0.7
const CLOSED_SECONDS = 4
const OPEN_SECONDS = 16
/** Requests a second of warming up, where the case says none. */
const WARM_UP_RATE = 500
/** How much of the time is open loop. */
export const OPEN_PART = OPEN_SECONDS / (CLOSED_SECONDS + OPEN_SECONDS)

/**
 * Requests at planned moments for so many seconds, as many as the case says, or a share of what the closed loop reaches. That is measured
 * anew before each stretch: where a machine becomes slower, 70 % of what it did before is more than all it can do, and the queue would tell
 * of the machine.
 */
export async function* openLoop(each: Case, stage: Stage, world: World, seconds: number): AsyncGenerator<Interval> {
  const { background: _, ...alone } = each
  const given = typeof each.openLoop === 'number' ? each.openLoop : undefined
  // What goes on beside is compiled, and reads an event for the first time, too.
  await runOnce(each, stage, world, { seconds: CLOSED_SECONDS, rate: given ?? WARM_UP_RATE })
  for (let done = 0; done < seconds; done += OPEN_SECONDS) {
    const most = given ?? (await measure(alone, stage, world, { seconds: CLOSED_SECONDS })).rate
    const rate = given ?? Math.floor(OPEN_SHARE * most)
    const stolen = watchStolen()
    const run = { seconds: Math.min(OPEN_SECONDS, seconds - done), rate }
    const { result, cpu, background } = await runOnce(each, stage, world, run)
    yield {
      most,
      rate,
      latencies: result.latencies,
      longestAt: result.longestAt,
      stolen: stolen(),
      cpu,
      ...(background && { background }),
    }
  }
}

/** The sum of an open loop's stretches. */
export function summed(intervals: Interval[]): Sample {
  const latencies = intervals.flatMap((interval) => interval.latencies).sort((a, b) => a - b)
  const weigh = (of: (interval: Interval) => number): number =>
    intervals.reduce((sum, interval) => sum + of(interval) * interval.latencies.length, 0) / latencies.length
  const background = backgroundOf(intervals)
  return {
    rate: weigh(({ rate }) => rate),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpu: Object.fromEntries(
      Object.keys(intervals[0]?.cpu ?? {}).map((name) => [name, weigh(({ cpu }) => cpu[name] ?? 0)]),
    ),
    ...(background && { background }),
  }
}
