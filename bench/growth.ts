import { setTimeout } from 'node:timers/promises'
import { InvalidArgumentError, numberFrom } from '@gatehouse/proto/process/command.ts'
import type { BenchCase } from './case.ts'
import { CHECK_INS_PER_GUEST, STRIDE } from './documents.ts'
import { median } from './figures.ts'
import { measure } from './measure.ts'
import { list } from './other-cases.ts'
import type { Sample, TargetResult } from './report.ts'
import { inTurn } from './rounds.ts'
import { scan } from './scan-cases.ts'
import { type Sizing, storedSizesOf } from './sizing.ts'
import { type Stage, say, seedEventOf } from './stage.ts'
import { verdict } from './targets.ts'
import { memoryOf } from './usage.ts'
import { type BenchWorld, worldOf } from './world.ts'

/** The numbers of guests of the events that are compared; each has three times as many check-ins. */
export const GROWTH_SIZES = [1_000, 100_000, 1_000_000]

/** A case over the sizes of events: medians over the rounds for each size. */
export interface GrowthRow {
  name: string
  /** Whether a device at a door waits for it. */
  door: boolean
  points: { guests: number; p50: number; p99: number; rate: number }[]
  /** Texts of failed measurements. */
  failures: string[]
}

/** The result for all sizes. */
export interface Growth extends Sizing {
  sizes: number[]
  seconds: number
  rounds: number
  /** Check-ins a second of the open loop. */
  rate: number
  /** Guests and check-ins of each event, and how many seconds it took to store them. */
  filling: { guests: number; checkIns: number; seconds: number }[]
  lines: GrowthRow[]
  verdicts: TargetResult[]
}

/** How to measure. */
interface GrowthOptions {
  sizes: number[]
  seconds: number
  rounds: number
  rate: number
}

interface Grown {
  case: BenchCase
  door: boolean
}

const MAX_GROWTH = 1.3
/** Guests who are cached; no event may have fewer. */
const KNOWN = 1_000
/** Scans of guests who are not cached, in one round: few enough for the smallest event. */
const NOT_CACHED = 150
/** The pause after a failure: the database goes on for a while with an abandoned query. */
const SETTLE_MS = 20_000

const STATISTICS_TRIES = 100

/** Reads the value of `--sizes`: numbers of guests, which it sorts in ascending order. */
export function readSizes(list: string): number[] {
  try {
    return list
      .split(',')
      .map(numberFrom(KNOWN))
      .sort((one, other) => one - other)
  } catch {
    throw new InvalidArgumentError(`It takes whole numbers of at least ${KNOWN}, with commas between them.`)
  }
}

/** Fills an event of each size in one system and measures all of them in rounds. */
export async function measureGrowth(stage: Stage, options: GrowthOptions): Promise<Growth> {
  const { sizes, seconds, rounds, rate } = options
  const worlds: BenchWorld[] = []
  const filling: Growth['filling'] = []
  for (const guests of sizes) {
    say(`an event of ${guests} guests`)
    const event = await stage.system.makeEvent()
    const points = [...(await event.pointsOnce(CHECK_INS_PER_GUEST - 1)), event.always]
    const took = await stage.seed(seedEventOf(event, guests, points))
    filling.push({ guests, checkIns: guests * CHECK_INS_PER_GUEST, seconds: took })
    worlds.push(await worldOf(stage.system, event, guests))
  }
  for (const world of worlds) await awaitStatistics(stage.system.url, world)
  const stored = await storedSizesOf(stage)
  // Check-ins come last because they add to the events, most to the smallest.
  const lines: GrowthRow[] = []
  const verdicts: TargetResult[] = []
  for (const phase of [reading(), counting(), notCached(), cached(rate)]) {
    const samples = await measurePhase(phase, stage, worlds, options)
    for (const { case: each, door } of phase) {
      const { bySize, failures } = samples.get(each.name) as Samples
      lines.push({ name: each.name, door, points: sizes.map((size, index) => pointOf(size, bySize[index])), failures })
      if (door) verdicts.push(...verdictsOf(each.name, bySize, failures))
    }
  }
  const atFull = { case: scan('check-in, full load', 'scanJson'), door: false }
  const { bySize } = (await measurePhase([atFull], stage, worlds.map(spread), options)).get(atFull.case.name) as Samples
  const full = sizes.map((size, index) => pointOf(size, bySize[index]))
  const memory = memoryOf(stage.pids)
  return { sizes, seconds, rounds, rate, filling, lines, stored, full, memory, verdicts }
}

/** Samples of each size, round by round. */
interface Samples {
  bySize: Sample[][]
  failures: string[]
}

async function measurePhase(phase: Grown[], stage: Stage, worlds: BenchWorld[], { seconds, rounds }: GrowthOptions) {
  const samples = new Map<string, Samples>(
    phase.map(({ case: { name } }) => [name, { bySize: worlds.map(() => []), failures: [] }]),
  )
  const failed = new Set<string>()
  for (let round = 0; round <= rounds; round++) {
    say(`${phase.map(({ case: { name } }) => name).join(', ')}: ${round === 0 ? 'warming up' : `round ${round}`}`)
    for (const { case: each } of inTurn(phase, round)) {
      const { bySize, failures } = samples.get(each.name) as Samples
      for (const [index, world] of inTurn([...worlds.entries()], round)) {
        if (failed.has(`${each.name} ${index}`)) continue
        try {
          const sample = await measure(each, stage, world, { seconds: round === 0 ? 1 : seconds })
          if (round > 0) bySize[index]?.push(sample)
        } catch (error) {
          failures.push(`${world.uids.length} guests: ${(error as Error).message}`)
          failed.add(`${each.name} ${index}`)
          say(failures.at(-1) as string)
          await setTimeout(SETTLE_MS)
        }
      }
    }
  }
  return samples
}

/** Waits until the statistics of a filled event are counted, which begins with the first request; until then the answer is 503. */
async function awaitStatistics(url: string, world: BenchWorld): Promise<void> {
  for (let tries = 0; tries < STATISTICS_TRIES; tries++) {
    if ((await fetch(url + world.path('statistics.json'))).ok) return
    await setTimeout(1_000)
  }
  throw new Error(`${world.uids.length} guests: no statistics after ${STATISTICS_TRIES} requests`)
}

/** Reading cases, one request after another. */
function reading(): Grown[] {
  const last = ({ uids }: BenchWorld): number => uids.length - 1
  return [
    { case: reads('guest by uid', ({ uids }) => `guests.json?uid=${uids[uids.length >> 1]}`), door: true },
    { case: reads('guest list, page 1', () => 'guests.json'), door: true },
    { case: reads('search for one', (world) => `guests.json?search=visitor${last(world)}`), door: true },
    // Not judged: in a small event a tenth does not fill a page.
    { case: reads('search for a tenth', () => 'guests.json?search=ada'), door: false },
  ]
}

/** Counts and statistics of the event. */
function counting(): Grown[] {
  return [
    { case: reads('event counts', () => '.json'), door: false },
    { case: reads('statistics', () => 'statistics.json'), door: false },
  ]
}

function reads(name: string, rest: (world: BenchWorld) => string): BenchCase {
  return { ...list(name, ''), load: async (world) => ({ kind: 'get', path: world.path(rest(world)) }) }
}

/** Check-ins of guests who are not cached: each is looked up first. */
function notCached(): Grown[] {
  const met = new Map<BenchWorld, number>()
  const first: BenchCase = {
    ...scan('check-in, guest not seen', 'scanJson'),
    load: async (world, _peers, { seconds }) => {
      const from = met.get(world) ?? 0
      met.set(world, from + NOT_CACHED)
      const guests = world.uids.length
      return {
        kind: 'scanOfNext',
        path: world.path('access_controls.json'),
        rate: NOT_CACHED / seconds,
        always: world.always,
        uids: Array.from({ length: NOT_CACHED }, (_, n) => world.uids[((from + n) * STRIDE) % guests] as string),
      }
    },
  }
  return [{ case: first, door: true }]
}

/** Check-ins of cached guests, at a steady rate and one after another: the same number of guests in each event, spread over it. */
function cached(rate: number): Grown[] {
  const steady = scan('check-in', 'scanJson')
  const alone = scan('check-in, alone', 'scanJson', 1)
  return [
    {
      case: { ...steady, load: (world, urls, run) => ofLoad(steady)(spread(world), urls, { ...run, rate }) },
      door: true,
    },
    { case: { ...alone, load: (world, urls, run) => ofLoad(alone)(spread(world), urls, run) }, door: true },
  ]
}

/** The event reduced to a thousand guests, who are spread over it. */
function spread(world: BenchWorld): BenchWorld {
  const step = world.uids.length / KNOWN
  return { ...world, uids: Array.from({ length: KNOWN }, (_, n) => world.uids[Math.floor(n * step)] as string) }
}

function ofLoad({ load }: BenchCase): NonNullable<BenchCase['load']> {
  return load as NonNullable<BenchCase['load']>
}

function pointOf(guests: number, samples: Sample[] = []): GrowthRow['points'][number] {
  const of = (figure: 'p50' | 'p99' | 'rate'): number => median(samples.map((sample) => sample[figure]))
  return { guests, p50: of('p50'), p99: of('p99'), rate: of('rate') }
}

/** Compares the largest event with the smallest, round by round; p99 too for the case that has enough requests. */
function verdictsOf(name: string, bySize: Sample[][], failures: string[]): TargetResult[] {
  const [smallest = [], largest = []] = [bySize[0], bySize.at(-1)]
  const figures = name === 'check-in' ? (['p50', 'p99'] as const) : (['p50'] as const)
  return figures.map((figure) => {
    const ratios = smallest.flatMap((small, round) => {
      const large = largest[round]
      return large ? [large[figure] / small[figure]] : []
    })
    const judged = verdict(`${name}, ${figure}`, median(ratios), '<=', MAX_GROWTH, 'x')
    return { ...judged, held: judged.held && failures.length === 0 }
  })
}
