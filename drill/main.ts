import { constants } from 'node:os'
import { Command, numberFrom, runCommand } from '@gatehouse/proto/process/command.ts'
import { runDrill } from './drill.ts'
import { Unfinished } from './phases.ts'
import { reportOf } from './report.ts'

/* `npm run drill`: everything that drill/README.md describes. */

const command = new Command('npm run drill --')
  .description('Inject faults under load and compare every answer')
  .option('--seconds <number>', 'how long the load lasts', numberFrom(1, 3_600), 60)
  .option('--seed <number>', 'determines the order of faults', numberFrom(0), Date.now() % 1_000_000)
await runCommand(command)
const { seconds, seed } = command.opts<{ seconds: number; seed: number }>()
// Interrupted devices would retry for another minute.
process.exit(await main())

async function main(): Promise<number> {
  say(`drill of ${seconds} s, --seed ${seed}`)
  const interruption = new AbortController()
  let stopped: NodeJS.Signals | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // The first signal ends all processes in order; the second kills them with this process.
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

/** The exit code after a signal, as in shells. */
function codeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
