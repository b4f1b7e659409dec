import { hash } from 'node:crypto'
import type { ActionRow } from '@gatehouse/test/tables/world.ts'
import fc from 'fast-check'
import type { BusClient } from './bus-client.ts'
import { type Case, filled } from './case.ts'
import { sendHttp, sendRaw } from './http.ts'
import type { Ids } from './ids.ts'
import { judgeBus, judgeHttp, judgeRaw, type Verdict } from './judging.ts'
import { type FuzzTarget, targets } from './targets.ts'

/** No answer may take longer: batches have 20 s. */
const DEADLINE_MS = 30_000
/** Cases at once. */
const WORKERS = 16
/** How long a smaller case is searched that fails the same. */
const SHRINKING_MS = 10_000

/** The system under attack. */
export interface AttackedSystem {
  /** The URL of the gateway. */
  url: string
  bus: BusClient
  ids: Pick<Ids, 'for' | 'noteGrant'>
}

/** A case that was answered as none may be. */
export interface Failure {
  number: number
  target: string
  problem: string
  sent: Case
}

/** What came of the cases. */
export interface FuzzResult {
  /** How often each kind of answer came. */
  answers: Map<string, number>
  /** Refusals because of a limit (503). */
  limited: number
  failures: Failure[]
  done: number
}

export interface FuzzingOptions {
  seed: number
  /** The numbers of the cases: from, and to without it. */
  from: number
  to: number
  signal?: AbortSignal
}

/** The case of a number, which is the same for a seed in each run; only the ids differ. */
export function caseOf(seed: number, number: number): { target: FuzzTarget; sent: Case } {
  const target = targets[number % targets.length] as FuzzTarget
  const [sent] = fc.sample(target.cases, { seed: seedOf(seed, number), numRuns: 1 })
  return { target, sent: sent as Case }
}

function seedOf(seed: number, number: number): number {
  return Buffer.from(hash('sha256', `${seed} ${number}`, 'hex'), 'hex').readInt32BE()
}

/** Sends cases to a system and adds what comes of them to `outcome`. */
export async function fuzz(
  attacked: AttackedSystem,
  outcome: FuzzResult,
  { seed, from, to, signal }: FuzzingOptions,
): Promise<void> {
  let next = from
  const work = async (): Promise<void> => {
    while (next < to && !signal?.aborted) {
      const number = next++
      const { target, sent } = caseOf(seed, number)
      const { said, problem, isLimited } = await attempt(attacked, sent, target.row)
      outcome.done++
      outcome.answers.set(said, (outcome.answers.get(said) ?? 0) + 1)
      if (isLimited) outcome.limited++
      if (problem !== undefined) outcome.failures.push({ number, target: target.name, problem, sent })
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
}

/** A smaller case that fails too, or the same. */
export async function shrunk(attacked: AttackedSystem, seed: number, { number, sent }: Failure): Promise<Case> {
  const { target } = caseOf(seed, number)
  const property = fc.asyncProperty(target.cases, async (each: Case) => {
    const { problem } = await attempt(attacked, each, target.row)
    return problem === undefined
  })
  const limits = { numRuns: 1, interruptAfterTimeLimit: SHRINKING_MS, markInterruptAsFailure: false }
  const { counterexample } = await fc.check(property, { seed: seedOf(seed, number), ...limits })
  return counterexample?.[0] ?? sent
}

/** Sends a case and judges what comes back. */
export async function attempt(
  { url, bus, ids }: AttackedSystem,
  sent: Case,
  row: ActionRow | undefined,
): Promise<Verdict> {
  const known = await ids.for(row)
  const fill = (text: string): string => filled(text, known)
  try {
    switch (sent.kind) {
      case 'http': {
        const headers = sent.headers.map(([name, value]): [string, string] => [name, fill(value)])
        const request = { ...sent, path: fill(sent.path), headers, body: fill(sent.body) }
        const answer = await sendHttp(url, request, DEADLINE_MS)
        if (row && answer.status < 300) ids.noteGrant(row)
        return judgeHttp(answer, request)
      }
      case 'raw':
        return judgeRaw(await sendRaw(url, { ...sent, bytes: fill(sent.bytes) }, DEADLINE_MS))
      case 'bus': {
        const message = { ...sent, subject: fill(sent.subject), payload: fill(sent.payload) }
        return judgeBus(await bus.send(message, DEADLINE_MS))
      }
    }
  } catch (error) {
    return { said: 'nothing', problem: `no answer: ${(error as Error).message}`, isLimited: false }
  }
}
