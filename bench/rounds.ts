import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError } from '@gatehouse/proto/process/command.ts'
import { areaCases } from './area-cases.ts'
import type { BenchCase } from './case.ts'
import type { Environment } from './environment.ts'
import { mailCases } from './mail-cases.ts'
import { measure, type Sample } from './measure.ts'
import { migrateCases } from './migrate-cases.ts'
import { otherCases } from './other-cases.ts'
import { scanCases } from './scan-cases.ts'

/** For some ten thousand requests V8 still compiles, which costs as much CPU as the requests. */
const WARM_UP_SECONDS = { loaded: 4, alone: 1 }
/** Statistics read the check-ins of the last half minute, those of earlier cases included. */
const QUIET_MS = 30_000

/** All cases, each after the one that it is compared with. */
export const cases: BenchCase[] = [...scanCases, ...areaCases, ...otherCases, ...mailCases, ...migrateCases]

interface RoundOptions {
  seconds: number
  rounds: number
  say: (line: string) => void
}

/** Measures cases in rounds. Those at planned times come last, after a pause. Returns the samples of each case, one for each round. */
export async function measureAll(
  chosen: BenchCase[],
  environment: Environment,
  options: RoundOptions,
): Promise<Map<string, Sample[]>> {
  const { open = [], closed = [] } = Object.groupBy(chosen, ({ group }) => (group === 'open' ? 'open' : 'closed'))
  const samples = await measureInRounds(closed, environment, options)
  if (open.length > 0 && closed.length > 0) await sleep(QUIET_MS)
  return new Map([...samples, ...(await measureInRounds(open, environment, options))])
}

/** Measures each case once in a round, after a round that warms up. */
async function measureInRounds(
  chosen: BenchCase[],
  environment: Environment,
  { seconds, rounds, say }: RoundOptions,
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>()
  for (let round = 0; round <= rounds && chosen.length > 0; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    for (const each of inTurn(chosen, round)) {
      if (round === 0) {
        const warming = each.warmUp ?? each
        await measure(warming, environment, warming.latency ? WARM_UP_SECONDS.alone : WARM_UP_SECONDS.loaded)
      } else {
        const sample = await measure(each, environment, seconds * (each.times ?? 1))
        samples.getOrInsertComputed(each.name, () => []).push(sample)
      }
    }
  }
  return samples
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

/** The cases of these groups or names and those that they are compared with; all cases if none is named. */
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
