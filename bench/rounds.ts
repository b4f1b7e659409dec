import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError } from '@gatehouse/proto/process/command.ts'
import type { BenchCase } from './case.ts'
import { cases } from './cases.ts'
import { percent, quantile } from './figures.ts'
import { measure } from './measure.ts'
import { type Interval, openLoop, summed } from './open-loop.ts'
import type { Sample } from './report.ts'
import { type Stage, say, seedEventOf } from './stage.ts'
import { type BenchWorld, worldOf } from './world.ts'

/** For some ten thousand requests V8 still compiles, which costs as much CPU as the requests. */
const WARM_UP_SECONDS = { loaded: 4, alone: 1 }

/** Statistics read the check-ins of the last half minute, those of earlier cases included. */
const QUIET_MS = 30_000
/** Cases with a rate of their own take this many times as long, because they send fewer requests. */
const GIVEN_TIMES = 2

/** What to measure, and for how long. */
interface Lengths {
  seconds: number
  rounds: number
  openSeconds: number
  counters: boolean
}

/** Makes an event with `guests` guests. */
export async function makeWorld({ system, seed }: Stage, guests: number): Promise<BenchWorld> {
  const event = await system.makeEvent()
  await seed(seedEventOf(event, guests))
  return worldOf(system, event, guests)
}

/** Measures cases in rounds, then open loops in intervals. Gives the samples of each case by its name, one for each round. */
export async function measureAll(
  chosen: BenchCase[],
  stage: Stage,
  world: BenchWorld,
  { seconds, rounds, openSeconds, counters }: Lengths,
): Promise<Map<string, Sample[]>> {
  const closed = chosen.filter((each) => !each.openLoop)
  const samples = await inRounds(closed, rounds, (each, isWarmUp) => {
    const warmUp = each.latency ? WARM_UP_SECONDS.alone : WARM_UP_SECONDS.loaded
    return measure(each, stage, world, { seconds: isWarmUp ? warmUp : seconds, counters })
  })
  for (const [name, intervals] of await measureOpen(chosen, stage, world, openSeconds)) {
    samples.set(name, [summed(intervals)])
  }
  return samples
}

/** Measures each case once in a round, after a round that warms up. Gives the samples by the names of the cases. */
export async function inRounds<C extends BenchCase>(
  cases: C[],
  rounds: number,
  measureOne: (each: C, isWarmUp: boolean) => Promise<Sample>,
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>()
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    for (const each of inTurn(cases, round)) {
      if (round === 0 && each.whole) continue
      const sample = await measureOne(each, round === 0)
      if (round > 0) samples.getOrInsertComputed(each.name, () => []).push(sample)
    }
  }
  return samples
}

/**
 * Measures open loops, an interval of each in turn. Those with a rate of their own come first: after a full load they would include its
 * effects.
 */
async function measureOpen(
  chosen: BenchCase[],
  stage: Stage,
  world: BenchWorld,
  seconds: number,
): Promise<Map<string, Interval[]>> {
  const open = chosen.filter((each) => each.openLoop)
  const measured = new Map<string, Interval[]>(open.map(({ name }) => [name, []]))
  const [shares, given] = [open.filter((each) => each.openLoop === 'share'), open.filter(isGiven)]
  if (given.length > 0 && open.length < chosen.length) await sleep(QUIET_MS)
  const lengths = [[given, GIVEN_TIMES * seconds] as const, [shares, seconds] as const]
  for (const [group, length] of lengths) {
    for await (const [name, interval] of intervalsOf(group, stage, world, length)) measured.get(name)?.push(interval)
  }
  return measured
}

/** Measures the intervals of these cases, one of each in turn, and prints a line for each. */
async function* intervalsOf(
  cases: BenchCase[],
  stage: Stage,
  world: BenchWorld,
  seconds: number,
): AsyncGenerator<[name: string, interval: Interval]> {
  const loops = cases.map((each) => ({ name: each.name, loop: openLoop(each, stage, world, seconds) }))
  for (let going = loops, turn = 0; going.length > 0; turn++) {
    for (const each of inTurn(going, turn)) {
      const { value: interval, done } = await each.loop.next()
      if (done) {
        going = going.filter((other) => other !== each)
        continue
      }
      const { rate, most, latencies, longestAt, stolen } = interval
      const [p99, longest] = [0.99, 1].map((share) => quantile(latencies, share).toFixed(0))
      say(
        `${each.name}: ${rate} of ${Math.round(most)} a second, p99 ${p99} ms, longest ${longest} ms at ${longestAt}, ${percent(stolen)} stolen`,
      )
      yield [each.name, interval]
    }
  }
}

function isGiven({ openLoop }: BenchCase): boolean {
  return typeof openLoop === 'number'
}

/**
 * The order of a round: each round begins at another case, and every other one is reversed, so that no case always follows the same one.
 * Neighbours, which are compared with each other, stay neighbours.
 */
export function inTurn<T>(all: T[], round: number): T[] {
  const begin = (round * Math.ceil(all.length / 3)) % Math.max(1, all.length)
  const turned = [...all.slice(begin), ...all.slice(0, begin)]
  return round % 2 ? turned : turned.reverse()
}

/** Reads a value of `--only`: the name of a group or of a case. */
export function readOnly(name: string, before: string[]): string[] {
  if (cases.some((each) => each.group === name || each.name === name)) return [...before, name]
  const groups = [...new Set(cases.map(({ group }) => group))]
  throw new InvalidArgumentError(`It takes a group (${groups.join(', ')}) or the name of a case.`)
}

/** The cases of these groups or names and those they are compared with; all cases if none is named. */
export function select(only: string[]): BenchCase[] {
  if (only.length === 0) return cases
  const wanted = new Set<string>()
  const want = (each: BenchCase): void => {
    wanted.add(each.name)
    for (const other of cases) if (other.name === each.baseline && !wanted.has(other.name)) want(other)
  }
  for (const each of cases) if (only.includes(each.group) || only.includes(each.name)) want(each)
  return cases.filter(({ name }) => wanted.has(name))
}
