import { randomUUID } from 'node:crypto'
import { InvalidArgumentError } from '@gatehouse/proto/process/command.ts'
import type { Attack, AttackAnswers } from './attacker.ts'
import { PEAK_RATE } from './cases.ts'
import { median, quantile } from './figures.ts'
import { runOnce } from './measure.ts'
import type { TargetResult } from './report.ts'
import { scan } from './scan-cases.ts'
import { type Stage, say } from './stage.ts'
import { verdict } from './targets.ts'
import { ownMemoryOf } from './usage.ts'
import { startWorker } from './worker.ts'
import type { BenchWorld } from './world.ts'

interface Times {
  p50: number
  p99: number
}

/** An attack and its effect on check-ins. */
interface Felt {
  name: string
  /** p50 and p99 of check-ins without the attack, and with it, in ms, of each round. */
  without: Times[]
  with: Times[]
  /** The same while the attacker sends to a server that only discards what it gets: what the machine alone costs. */
  discarded: Times[]
  /** The process whose memory grew most during the attack, and by how much. */
  grown: { process: string; mebibytes: number }
  /** The answers that the attacker got. */
  answers: AttackAnswers
}

/** Bounds: p99 of check-ins as a multiple of that without the attack, and the growth of any process in MiB. */
const MAX_GROWTH = { p99: 2, mebibytes: 100 }
const MEMORY_EVERY_MS = 250

const XML = 'application/xml'
const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

interface AttackKind extends Omit<Attack, 'url' | 'path' | 'point'> {
  from: 'stranger' | 'token'
  path?: string
  /** Its scans name an existing check-in point, so they are stored. */
  isAtDoor?: true
}

const NOWHERE = '0'.repeat(24)

/** Strangers send to a path with an unknown secret; tokens send batches to an event of another account. */
const attacks: Record<string, AttackKind> = {
  'stranger, elements': { from: 'stranger', type: XML, body: 'elements', connections: 1 },
  'stranger, elements, 4 at once': { from: 'stranger', type: XML, body: 'elements', connections: 4 },
  'stranger, form': { from: 'stranger', type: FORM, body: 'form', connections: 4 },
  'stranger, depth': { from: 'stranger', type: JSON_TYPE, body: 'depth', connections: 4 },
  'stranger, 200 held bodies': { from: 'stranger', type: JSON_TYPE, body: 'objects', connections: 200, holds: true },
  'token, form': { from: 'token', type: FORM, body: 'form', connections: 1 },
  'token, 8 odd JSON': { from: 'token', type: JSON_TYPE, body: 'objects', connections: 8 },
  'token, 8 deep JSON': { from: 'token', type: JSON_TYPE, body: 'depth', connections: 8 },
  'token, 8 elements': { from: 'token', type: XML, body: 'elements', connections: 8 },
  'token, 8 XML texts': { from: 'token', type: XML, body: 'texts', connections: 8 },
  'token, 8 batches of signatures': {
    from: 'token',
    type: JSON_TYPE,
    body: 'signatures',
    connections: 8,
    path: 'signatures',
  },
  'token, 8 batches of scans': { from: 'token', type: JSON_TYPE, body: 'scans', connections: 8 },
  'token, 8 batches of scans at a door': {
    from: 'token',
    type: JSON_TYPE,
    body: 'scans',
    connections: 8,
    isAtDoor: true,
  },
}

/** Reads a value of `--attacks`: the name of an attack. */
export function readAttack(name: string, before: string[] = []): string[] {
  if (Object.hasOwn(attacks, name)) return [...before, name]
  throw new InvalidArgumentError(
    `It takes names of attacks: ${Object.keys(attacks)
      .map((each) => JSON.stringify(each))
      .join(', ')}.`,
  )
}

/** Checks guests in at 560 a second, alternately without and during an attack: all attacks, or those of `names`. */
export async function measureAttacks(
  stage: Stage,
  world: BenchWorld,
  { seconds, rounds, names }: { seconds: number; rounds: number; names: string[] | undefined },
): Promise<Felt[]> {
  const door = scan('door', 'scanJson')
  const felt: Felt[] = []
  const run = { seconds, rate: PEAK_RATE }
  say('warming up')
  await runOnce(door, stage, world, run)
  const chosen = Object.entries(attacks).filter(([name]) => !names || names.includes(name))
  for (const [name, kind] of chosen) {
    const result: Felt = {
      name,
      without: [],
      with: [],
      discarded: [],
      grown: { process: '', mebibytes: 0 },
      answers: {},
    }
    const during = async (attack: Attack, count: (answers: AttackAnswers) => void): Promise<Times> => {
      const background = async () => {
        const end = await begin(attack)
        return async () => {
          count(await end())
          return { during: 0, afterwards: 0, seconds: 0 }
        }
      }
      return timesOf(await runOnce({ ...door, background }, stage, world, run))
    }
    for (let round = 0; round < rounds; round++) {
      const attack = await attackOf(kind, stage, world)
      result.without.push(timesOf(await runOnce(door, stage, world, run)))
      const grown = watchMemory(stage.pids)
      const add = (answers: AttackAnswers): void => {
        for (const [status, count] of Object.entries(answers))
          result.answers[Number(status)] = (result.answers[Number(status)] ?? 0) + count
      }
      result.with.push(await during(attack, add))
      const most = grown()
      if (most.mebibytes > result.grown.mebibytes) result.grown = most
      result.discarded.push(await during({ ...attack, url: stage.urls.receiver ?? '' }, () => {}))
    }
    felt.push(result)
    say(line(result))
  }
  return felt
}

/** The attack to send. A token's attack has a new account: the limit of bytes a minute would make a second attack with the same token harmless. */
async function attackOf(
  { from, path = 'access_controls', isAtDoor, ...kind }: AttackKind,
  { system }: Stage,
  { url }: BenchWorld,
): Promise<Attack> {
  const secret = '/api/v1/devices/junk/connections/batch_create.json'
  if (from === 'stranger') return { ...kind, url, path: secret, point: NOWHERE }
  const event = await system.makeEvent(`attacker-${randomUUID()}`)
  return { ...kind, url, path: event.path(`${path}/batch_create.json`), point: isAtDoor ? event.always : NOWHERE }
}

function timesOf({ result: { latencies } }: Awaited<ReturnType<typeof runOnce>>): Times {
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}

/** Starts an attack in a separate process. The returned function ends it and gives the answers. */
async function begin(attack: Attack): Promise<() => Promise<AttackAnswers>> {
  const attacker = await startWorker<Attack | { end: true }, AttackAnswers>('attacker.ts')
  await attacker.run(attack)
  return async () => {
    const answers = await attacker.run({ end: true })
    attacker.stop()
    return answers
  }
}

/** Watches the memory of processes. The returned function gives the process that grew most, and by how much. */
function watchMemory(pids: Record<string, number>): () => Felt['grown'] {
  const before = ownMemoryOf(pids)
  const grown = new Map<string, number>()
  const look = (): void => {
    for (const [process, now] of Object.entries(ownMemoryOf(pids))) {
      grown.set(process, Math.max(grown.get(process) ?? 0, now - (before[process] ?? 0)))
    }
  }
  const watching = setInterval(look, MEMORY_EVERY_MS)
  return () => {
    clearInterval(watching)
    look()
    const [process = '', mebibytes = 0] = [...grown].sort(([, a], [, b]) => b - a)[0] ?? []
    return { process, mebibytes }
  }
}

/** Compares the effects of each attack with the bounds. */
export function judgeAttacks(felt: Felt[]): TargetResult[] {
  return felt.flatMap(({ name, grown, ...p }) => {
    const ratios = p.with.map(({ p99 }, round) => p99 / (p.without[round]?.p99 ?? p99))
    return [
      verdict(`${name}: p99`, median(ratios), '<=', MAX_GROWTH.p99, 'x'),
      verdict(`${name}: ${grown.process}`, grown.mebibytes, '<=', MAX_GROWTH.mebibytes, 'MiB'),
    ]
  })
}

function line({ name, without, with: during, discarded, grown, answers }: Felt): string {
  const times = (of: Times[]): string =>
    `p50 ${median(of.map(({ p50 }) => p50)).toFixed(1)}, p99 ${median(of.map(({ p99 }) => p99)).toFixed(1)} ms`
  return `${name}: ${times(without)} without, ${times(during)} with, ${times(discarded)} with a server which discards it; ${grown.process} +${grown.mebibytes.toFixed(0)} MiB; ${JSON.stringify(answers)}`
}
