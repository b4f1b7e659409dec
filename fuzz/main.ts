import { Command, numberFrom, runCommand } from '@gatehouse/proto/process/command.ts'
import { interruptible } from '@gatehouse/proto/process/interruption.ts'

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
  // The processes of the system end with this one.
  const interruption = interruptible(say)
  try {
    // It reads the whole system, which usage and refused options do without.
    const { run } = await import('./run.ts')
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
    if (interruption.exitCode !== undefined) return interruption.exitCode
    say(`FAILED: ${(error as Error).stack}`)
    return 1
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
