import { parseArgs } from 'node:util'
import { runDrill } from './drill.ts'
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
