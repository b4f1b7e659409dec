import type { BackgroundReport } from './background.ts'
import type { BenchCase } from './case.ts'
import { quantile } from './figures.ts'
import { measure, runOnce } from './measure.ts'
import { backgroundOf, type Sample } from './report.ts'
import type { Stage } from './stage.ts'
import { watchStolen } from './usage.ts'
import type { BenchWorld } from './world.ts'

/** An interval of an open loop. */
export interface Interval {
  /** Requests a second that the closed loop reached just before; equal to `rate` if the case has a rate of its own. */
  most: number
  /** Planned requests a second. */
  rate: number
  /** Milliseconds, sorted. */
  latencies: number[]
  /** The planned time of the request with the longest latency, ISO 8601. */
  longestAt?: string | undefined
  /** The share of the machine's time that its host gave to others. */
  stolen: number
  cpu: Sample['cpu']
  background?: BackgroundReport
}

/** The rate of an open loop as a share of what the closed loop reaches. */
const OPEN_SHARE = 0.7
const CLOSED_SECONDS = 4
const OPEN_SECONDS = 16
/** Requests a second of warming up, for cases without a rate of their own. */
const WARM_UP_RATE = 500
/** The share of the time that open loops take; closed loops take the rest. */
export const OPEN_PART = OPEN_SECONDS / (CLOSED_SECONDS + OPEN_SECONDS)

/**
 * Sends requests at planned times for `seconds`, at the rate of the case, or at a share of what the closed loop reaches. The closed loop is
 * measured again before each interval: on a machine that has become slower, 70 % of the first rate could be more than its capacity.
 */
export async function* openLoop(
  each: BenchCase,
  stage: Stage,
  world: BenchWorld,
  seconds: number,
): AsyncGenerator<Interval> {
  const { background: _, ...alone } = each
  const given = typeof each.openLoop === 'number' ? each.openLoop : undefined
  // Warms up the background work too.
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

/** Combines the intervals of an open loop into one sample. */
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
