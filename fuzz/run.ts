import { inPhase } from '@gatehouse/test/load/phases.ts'
import { BusClient } from './bus-client.ts'
import { checkInProblem, queueProblems } from './closing.ts'
import { type AttackedSystem, type Failure, type FuzzResult, fuzz, shrunk } from './fuzzing.ts'
import { Ids } from './ids.ts'
import { growthProblems, type Memory, memoryLine } from './memory.ts'
import { type FuzzedSystem, startFuzzedSystem } from './system.ts'

/* `npm run fuzz`: a system of its own is attacked by as many cases as are asked for. */

/** Cases for each account. After those of the first one the caches are filled, and memory is measured first. */
const OF_ACCOUNT = 5_000
/** Failures of which a smaller case is searched, and which are shown. */
const SHRUNK = 5
const SHOWN = 50
/** What processes log of messages that nobody can read: no error of theirs. */
const UNREADABLE = /: a message (cannot be read|is not a domain event|is not a badge order|is not a turn): /
/** Characters of a case that are shown. */
const QUOTED = 600
const STARTING_MS = 180_000
const CLOSING_MS = 240_000
const ENDING_MS = 60_000

/** How to run it. */
export interface FuzzOptions {
  cases: number
  seed: number
  /** The number of the only case to send. */
  only?: number | undefined
  /** Ends the run after this time, in ms. */
  longestMs: number
  say: (line: string) => void
  interrupted: AbortSignal
}

/** Sends all cases to a new system, and looks at what is left of it; returns what is wrong. Rejects if it is interrupted, or takes too long. */
export async function run(options: FuzzOptions): Promise<string[]> {
  const { say, interrupted } = options
  const logged: string[] = []
  const hear = (line: string): void => {
    if (UNREADABLE.test(line)) return
    logged.push(line)
    say(line)
  }
  let starting: Promise<FuzzedSystem> | undefined
  try {
    const system = await inPhase('starting', STARTING_MS, { say, interrupted }, (phase) => {
      starting = startFuzzedSystem(hear, phase)
      return starting
    })
    const problems = await attack(system, options)
    return [...problems, ...(logged.length > 0 ? [`${logged.length} errors were logged, as shown above`] : [])]
  } finally {
    await inPhase('ending', ENDING_MS, { say }, async (phase) => {
      phase.waitFor('its processes to end')
      await starting?.then(
        async (system) => {
          await system.world.system.stop()
          await system.stop()
        },
        // A failed start ends its processes itself.
        () => {},
      )
    })
  }
}

async function attack(system: FuzzedSystem, options: FuzzOptions): Promise<string[]> {
  const { cases, seed, only, longestMs, say, interrupted } = options
  const { world, url, natsUrl, namespace } = system
  const outcome: FuzzResult = { answers: new Map(), limited: 0, failures: [], done: 0 }
  const [from, to] = only === undefined ? [0, cases] : [only, only + 1]
  const attacked: AttackedSystem = {
    url,
    bus: await BusClient.connect(natsUrl, namespace),
    ids: await Ids.ofNewAccount(world, 'fuzz-0'),
  }
  try {
    const before = await inPhase('fuzzing', longestMs, { say, interrupted }, async ({ waitFor, signal }) => {
      waitFor(() => `${to - from - outcome.done} of ${to - from} cases, ${outcome.failures.length} failed`)
      let warm: Record<string, Memory> | undefined
      for (let begin = from; begin < to && !signal.aborted; begin += OF_ACCOUNT) {
        if (begin > from) attacked.ids = await Ids.ofNewAccount(world, `fuzz-${begin}`)
        await fuzz(attacked, outcome, { seed, from: begin, to: Math.min(to, begin + OF_ACCOUNT), signal })
        warm ??= await system.memory()
      }
      return warm ?? {}
    }).catch(async (error: unknown) => {
      if (interrupted.aborted) throw error
      sayAnswers(outcome, say)
      await sayFailures(attacked, outcome.failures, options)
      throw error
    })
    return await inPhase('closing', CLOSING_MS, { say, interrupted }, async ({ waitFor }) => {
      waitFor('the queues to be empty')
      const queues = await queueProblems(natsUrl, namespace)
      waitFor('a check-in')
      const checkIn = await checkInProblem(world.system.api, world.system.account_id)
      waitFor('the memory')
      const after = await system.memory()
      for (const [name, memory] of Object.entries(after)) {
        if (before[name]) say(`  ${name.padEnd(10)} ${memoryLine(before[name], memory)}`)
      }
      sayAnswers(outcome, say)
      waitFor('smaller cases that fail')
      await sayFailures(attacked, outcome.failures, options)
      return [
        ...(outcome.failures.length > 0 ? [`${outcome.failures.length} cases failed`] : []),
        ...system.restarted().map((name) => `${name} ended and was started again`),
        ...queues,
        ...(checkIn === undefined ? [] : [checkIn]),
        ...growthProblems(before, after),
      ]
    })
  } finally {
    await attacked.bus.close()
  }
}

function sayAnswers({ answers, limited, done }: FuzzResult, say: (line: string) => void): void {
  const sorted = [...answers].sort(([one], [other]) => one.localeCompare(other))
  say(`${done} cases: ${sorted.map(([said, count]) => `${count} × ${said}`).join(', ')}`)
  if (limited > 0) say(`${limited} of these were refused by a limit (503)`)
}

/** Says which cases failed, the first few of them as small as they can be. */
async function sayFailures(
  attacked: AttackedSystem,
  failures: readonly Failure[],
  { seed, say }: FuzzOptions,
): Promise<void> {
  for (const [nth, failure] of failures.slice(0, SHOWN).entries()) {
    const sent = nth < SHRUNK ? await shrunk(attacked, seed, failure) : failure.sent
    say(`FAILED ${failure.target}: ${failure.problem}`)
    say(`  npm run fuzz -- --seed ${seed} --only ${failure.number}`)
    say(`  ${JSON.stringify(sent).slice(0, QUOTED)}`)
  }
  if (failures.length > SHOWN) say(`and ${failures.length - SHOWN} more`)
}
