import { constants } from 'node:os'
import { Command, numberFrom, runCommand } from '@gatehouse/proto/process/command.ts'
import { run } from './run.ts'

/* `npm run fuzz`: everything that fuzz/README.md describes. */

const command = new Command('npm run fuzz --')
  .description('Send odd requests and messages to a system of its own, and see that it answers each and stays as it is')
  .option('--cases <number>', 'how many', numberFrom(1), 200_000)
  .option('--seed <number>', 'determines the cases', numberFrom(0), Date.now() % 1_000_000)
  .option('--only <number>', 'sends only the case of this number, which a failure names', numberFrom(0))
  .option('--minutes <number>', 'ends the run, as failed, after this time', numberFrom(1, 1_440), 120)
await runCommand(command)
const { cases, seed, only, minutes } = command.opts<{ cases: number; seed: number; only?: number; minutes: number }>()
process.exit(await main())

async function main(): Promise<number> {
  say(`fuzz ${only === undefined ? `of ${cases} cases` : `of case ${only}`}, --seed ${seed}`)
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
  try {
    const problems = await run({
      cases,
      seed,
      only,
      longestMs: minutes * 60_000,
      say,
      interrupted: interruption.signal,
    })
    for (const problem of problems) say(`FAILED: ${problem}`)
    if (problems.length === 0) say('held: each case was answered, and the system is as it was')
    return problems.length === 0 ? 0 : 1
  } catch (error) {
    if (stopped) return codeOf(stopped)
    say(`FAILED: ${(error as Error).stack}`)
    return 1
  }
}

/** The exit code after a signal, as in shells. */
function codeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
