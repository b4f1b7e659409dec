import { constants } from 'node:os'
import { parseArgs } from 'node:util'
import { runDrill } from './drill.ts'
import { Unfinished } from './phases.ts'
import { reportOf } from './report.ts'

/* `npm run drill`: everything that drill/README.md describes. */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seconds = Number(values.seconds)
const seed = Number(values.seed)
if (!(seconds >= 1 && seconds <= 3_600) || !Number.isInteger(seed)) {
  say('drill: --seconds takes 1 to 3600, --seed a whole number')
  process.exit(2)
}
// Devices that were interrupted would insist for a minute more.
process.exit(await main())

async function main(): Promise<number> {
  say(`drill of ${seconds} s, --seed ${seed}`)
  const interruption = new AbortController()
  let stopped: NodeJS.Signals | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // What is ended in good order by the first is killed with this process by the second.
      if (stopped) process.exit(codeOf(stopped))
      stopped = signal
      say(`${signal}: all is ended`)
      interruption.abort(new Error(`it was interrupted by ${signal}`))
    })
  const outcome = await runDrill({ seconds, seed, say, slack: 1, interrupted: interruption.signal }).catch((error) => {
    say(`FAILED: ${error instanceof Unfinished ? error.message : (error as Error).stack}`)
    return 'failed' as const
  })
  if (stopped) {
    say('interrupted: nothing is compared')
    return codeOf(stopped)
  }
  if (outcome === undefined || outcome === 'failed') return 1
  for (const line of reportOf(outcome)) say(line)
  return outcome.record.violations.length === 0 ? 0 : 1
}

/** The exit code of what a signal has ended, as shells expect it. */
function codeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
