import { Command, numberFrom, runCommand } from '@gatehouse/proto/command.ts'
import { runDrill } from './drill.ts'
import { reportOf } from './report.ts'

/* `npm run drill`: everything that drill/README.md describes. */

const command = new Command('npm run drill --')
  .description('Crashes under load, every answer compared')
  .option('--seconds <number>', 'how long the load lasts', numberFrom(1, 3_600), 60)
  .option('--seed <number>', 'which crashes, for the same again', numberFrom(0), Date.now() % 1_000_000)
await runCommand(command)
const { seconds, seed } = command.opts<{ seconds: number; seed: number }>()
// Devices that were interrupted would insist for a minute more.
process.exit(await main())

async function main(): Promise<number> {
  say(`drill of ${seconds} s, --seed ${seed}`)
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interruption.abort())
  const outcome = await runDrill({ seconds, seed, say, slack: 1, interrupted: interruption.signal })
  if (!outcome) {
    say('interrupted: nothing is compared')
    return 130
  }
  for (const line of reportOf(outcome)) say(line)
  return outcome.record.violations.length === 0 ? 0 : 1
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
