import { Command, InvalidArgumentError, numberFrom, runCommand } from '@gatehouse/proto/process/command.ts'
import { interruptible } from '@gatehouse/proto/process/interruption.ts'
import { answer } from './answer.ts'
import { readCosts } from './costs.ts'
import { PRICES } from './money.ts'
import { reportOf } from './report.ts'
import { tableOf } from './table.ts'

/* `npm run scale`: how large a system has to be, as scale/README.md describes. */

const atLeastOne = numberFrom(1)
const price = (text: string): number => {
  const amount = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(amount) && amount >= 0) return amount
  throw new InvalidArgumentError('It takes a number of at least 0.')
}
const command = new Command('npm run scale --')
  .description(
    'Says how large a system has to be, what it costs and what breaks first, by a simulation; see scale/README.md',
  )
  .option('--guests <number>', 'guests who come, such as 100000 or 2e6', atLeastOne, 100_000)
  .option('--minutes <number>', 'from the first guest at the doors to the last', numberFrom(1, 1_440), 30)
  .option('--events <number>', 'events whose doors open at once', atLeastOne, 1)
  .option('--partners <number>', 'partners who look at their pages', numberFrom(0), 0)
  .option('--mail <number>', 'e-mails', numberFrom(0), 0)
  .option('--mail-hours <number>', 'the time within which e-mails leave', atLeastOne, 8)
  .option('--utilization <percent>', 'how busy processors may be in the busiest second', numberFrom(10, 90), 60)
  .option('--disk-ms <number>', 'until most members of the database have a write on disk', numberFrom(0, 1_000), 2)
  .option('--price-cpu <amount>', 'of a processor for an hour', price, PRICES.cpu)
  .option('--price-memory <amount>', 'of a GiB of memory for an hour', price, PRICES.memory)
  .option('--price-disk <amount>', 'of a GB of disk for a month', price, PRICES.disk)
  .option('--price-egress <amount>', 'of a GB to the Internet', price, PRICES.egress)
  .option('--price-mail <amount>', 'of a thousand e-mails', price, PRICES.mail)
  .option('--seed <number>', 'of the random choices', numberFrom(0), 1)
  .option('--json', 'print JSON', false)
  .option(
    '--measure',
    'measure the costs anew on a system of its own, in some minutes, and write scale/costs.json',
    false,
  )
  .option(
    '--check',
    'compare predicted and measured at three loads, and exit with 1 if they differ by more than 20 %',
    false,
  )
  .option('--table', 'print the table of docs/operations.md instead', false)
await runCommand(command)
const options = command.opts()

const say = (line: string): void => void process.stderr.write(`${line}\n`)
if (options.measure || options.check) {
  process.exit(await measureAndCheck())
} else if (options.table) {
  console.log(tableOf(readCosts(), say).join('\n'))
} else {
  const { guests, minutes, events, partners, mail, mailHours, utilization, diskMs, seed } = options
  const assumptions = { costs: readCosts(), seed, diskMs, utilization: utilization / 100 }
  const { priceCpu: cpu, priceMemory: memory, priceDisk: disk, priceEgress: egress, priceMail } = options
  const prices = { cpu, memory, disk, egress, mail: priceMail }
  const answered = answer({ guests, minutes, events, partners, mail, mailHours }, assumptions, prices, say)
  console.log(options.json ? JSON.stringify(answered, null, 2) : reportOf(answered).join('\n'))
}

/** Measures, and compares; returns the exit code. */
async function measureAndCheck(): Promise<number> {
  const interruption = interruptible(say)
  // The system's modules are only read to run one.
  const { measureScans, withSystem } = await import('./running.ts')
  const { FURTHER, measureCosts } = await import('./measuring.ts')
  const { compare, comparisonOf, isOff } = await import('./checking.ts')
  try {
    return await withSystem(options.measure ? FURTHER : [], say, interruption.signal, async (environment) => {
      const scans = await measureScans(environment, say)
      const compared = options.check ? await compare(environment, scans, say) : []
      if (compared.length > 0) console.log(comparisonOf(compared).join('\n'))
      if (options.measure) await measureCosts(environment, scans, say)
      return compared.some(isOff) ? 1 : 0
    })
  } catch (error) {
    say(`FAILED: ${(error as Error).stack}`)
    return interruption.exitCode ?? 1
  }
}
