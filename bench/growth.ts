import { setTimeout } from 'node:timers/promises'
import { InvalidArgumentError, numberFrom } from '@gatehouse/proto/process/command.ts'
import { type Case, list, scan } from './cases.ts'
import { CHECK_INS_PER_GUEST } from './documents.ts'
import { median } from './figures.ts'
import { measure } from './measure.ts'
import type { Sample } from './report.ts'
import { inTurn } from './rounds.ts'
import { type Stage, say, seedEventOf } from './stage.ts'
import type { Verdict } from './targets.ts'
import { type World, worldOf } from './world.ts'

/** The guests of the events that are compared; check-ins are three times as many. */
export const GROWTH_SIZES = [1_000, 100_000, 1_000_000]

/** How an event's size tells: a median over the rounds for each size. */
export interface Line {
  name: string
  /** Whether a door's device waits for it. */
  door: boolean
  points: { guests: number; p50: number; p99: number; rate: number }[]
  /** What went wrong, where it did. */
  failures: string[]
}

/** What the measurement of all sizes came to. */
export interface Growth {
  sizes: number[]
  seconds: number
  rounds: number
  /** Check-ins a second of the open loop. */
  rate: number
  /** Guests and check-ins of each event, and the seconds that storing them took. */
  filling: { guests: number; checkIns: number; seconds: number }[]
  lines: Line[]
  verdicts: Verdict[]
}

/** How to measure. */
export interface GrowthOptions {
  sizes: number[]
  seconds: number
  rounds: number
  rate: number
}

interface Grown {
  case: Case
  door: boolean
}

const MAX_GROWTH = 1.3
/** Guests whom the door knows; no event may be smaller. */
const KNOWN = 1_000
/** Scans a round of guests that the door has not seen: few enough for the smallest event. */
const STRANGERS = 150
const STRIDE = 7_919
/** The database goes on for a while with a query that nobody waits for any more. */
const SETTLE_MS = 20_000

const ADDING_TRIES = 100

/** Reads what `--sizes` takes: guests of events, the smallest first. */
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

/** Puts an event of each size into one system and measures them side by side, in rounds. */
export async function measureGrowth(stage: Stage, options: GrowthOptions): Promise<Growth> {
  const { sizes, seconds, rounds, rate } = options
  const worlds: World[] = []
  const filling: Growth['filling'] = []
  for (const guests of sizes) {
    say(`an event of ${guests} guests`)
    const event = await stage.system.makeEvent()
    const points = [...(await event.pointsOnce(CHECK_INS_PER_GUEST - 1)), event.always]
    const took = await stage.seed(seedEventOf(event, guests, points))
    filling.push({ guests, checkIns: guests * CHECK_INS_PER_GUEST, seconds: took })
    worlds.push(await worldOf(stage.system, event, guests))
  }
  for (const world of worlds) await addedUp(stage.system.url, world)
  // Check-ins last: they add to the events, and to the smallest by much.
  const lines: Line[] = []
  const verdicts: Verdict[] = []
  for (const phase of [reading(), counting(), strangers(), checkingIn(rate)]) {
    const samples = await measurePhase(phase, stage, worlds, options)
    for (const { case: each, door } of phase) {
      const { bySize, failures } = samples.get(each.name) as Samples
      lines.push({ name: each.name, door, points: sizes.map((size, index) => pointOf(size, bySize[index])), failures })
      if (door) verdicts.push(...verdictsOf(each.name, bySize, failures))
    }
  }
  return { sizes, seconds, rounds, rate, filling, lines, verdicts }
}

/** Of each size, round by round. */
interface Samples {
  bySize: Sample[][]
  failures: string[]
}

async function measurePhase(phase: Grown[], stage: Stage, worlds: World[], { seconds, rounds }: GrowthOptions) {
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

/** What was filled past the services is added up by those who ask first; they get 503 until it is done. */
async function addedUp(url: string, world: World): Promise<void> {
  for (let tries = 0; tries < ADDING_TRIES; tries++) {
    if ((await fetch(url + world.path('statistics.json'))).ok) return
    await setTimeout(1_000)
  }
  throw new Error(`${world.uids.length} guests: statistics do not come`)
}

/** What reads, one request at a time. */
function reading(): Grown[] {
  const last = ({ uids }: World): number => uids.length - 1
  return [
    { case: reads('guest by uid', ({ uids }) => `guests.json?uid=${uids[uids.length >> 1]}`), door: true },
    { case: reads('guest list, page 1', () => 'guests.json'), door: true },
    { case: reads('search for one', (world) => `guests.json?search=visitor${last(world)}`), door: true },
    // Not judged: in a small event a tenth does not fill a page.
    { case: reads('search for a tenth', () => 'guests.json?search=ada'), door: false },
  ]
}

/** What adds up the event. */
function counting(): Grown[] {
  return [
    { case: reads('event counts', () => '.json'), door: false },
    { case: reads('statistics', () => 'statistics.json'), door: false },
  ]
}

function reads(name: string, rest: (world: World) => string): Case {
  return { ...list(name, ''), load: async (world) => ({ kind: 'get', path: world.path(rest(world)) }) }
}

/** Guests whom the door has not seen: each is looked up first. */
function strangers(): Grown[] {
  const met = new Map<World, number>()
  const first: Case = {
    ...scan('check-in, guest not seen', 'scanJson'),
    load: async (world, _peers, { seconds }) => {
      const from = met.get(world) ?? 0
      met.set(world, from + STRANGERS)
      const guests = world.uids.length
      return {
        kind: 'scanOfNext',
        path: world.path('access_controls.json'),
        rate: STRANGERS / seconds,
        always: world.always,
        uids: Array.from({ length: STRANGERS }, (_, n) => world.uids[((from + n) * STRIDE) % guests] as string),
      }
    },
  }
  return [{ case: first, door: true }]
}

/** Check-ins at a steady rate and one after another, of guests whom the door knows: as many in each event, from all over it. */
function checkingIn(rate: number): Grown[] {
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

/** An event as if it had only these guests, who are far apart in it. */
function spread(world: World): World {
  const step = world.uids.length / KNOWN
  return { ...world, uids: Array.from({ length: KNOWN }, (_, n) => world.uids[Math.floor(n * step)] as string) }
}

function ofLoad({ load }: Case): NonNullable<Case['load']> {
  return load as NonNullable<Case['load']>
}

function pointOf(guests: number, samples: Sample[] = []): Line['points'][number] {
  const of = (figure: 'p50' | 'p99' | 'rate'): number => median(samples.map((sample) => sample[figure]))
  return { guests, p50: of('p50'), p99: of('p99'), rate: of('rate') }
}

/** The largest event beside the smallest, round by round; p99 too where there are requests enough for one. */
function verdictsOf(name: string, bySize: Sample[][], failures: string[]): Verdict[] {
  const [smallest = [], largest = []] = [bySize[0], bySize.at(-1)]
  const figures = name === 'check-in' ? (['p50', 'p99'] as const) : (['p50'] as const)
  return figures.map((figure) => {
    const ratios = smallest.flatMap((small, round) => {
      const large = largest[round]
      return large ? [large[figure] / small[figure]] : []
    })
    const measured = median(ratios)
    const held = failures.length === 0 && measured <= MAX_GROWTH
    return { target: `${name}, ${figure}`, measured, bound: MAX_GROWTH, sense: '<=', unit: 'x', held }
  })
}
