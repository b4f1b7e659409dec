import { Command, numberFrom, runCommand } from '@gatehouse/proto/process/command.ts'
import { interruptible } from '@gatehouse/proto/process/interruption.ts'
import { Unfinished } from '@gatehouse/test/load/phases.ts'
import { runCellsDrill } from './cells/cells-drill.ts'
import { runDrill, SCANNERS } from './drill.ts'
import { runHostsDrill } from './hosts/hosts-drill.ts'
import { isolate, lackingForHosts, UNAVAILABLE } from './hosts/isolation.ts'
import { runMailDrill } from './mail/mail-drill.ts'
import { runMailingDrill } from './mail/mailing-drill.ts'
import { reportOf } from './report.ts'
import { runRestoreDrill } from './restore/restore-drill.ts'
import type { DrillResult, RunOptions } from './running.ts'
import { PHONES, runScannerDrill } from './scanner/scanner-drill.ts'

/* `npm run drill`: everything that drill/README.md describes. */

const command = new Command('npm run drill --')
  .description('Inject faults under load and compare every answer')
  .option(
    '--seconds <number>',
    'how long the load at the doors lasts, with --restore until everything is destroyed',
    numberFrom(1, 3_600),
    60,
  )
  .option(
    '--scanners <number>',
    `devices at the doors (${SCANNERS} unless given, with --scanner ${PHONES})`,
    numberFrom(1, 1_000),
  )
  .option('--cluster', 'on three NATS servers that are a cluster, with two processes of each kind', false)
  .option('--hosts', 'on three hosts, which are killed, cut off, slowed and set to another time; needs root', false)
  .option('--cells', 'an account is moved between two cells, while commands and services are killed', false)
  .option('--upgrade', 'replace all processes by another version, two of each kind, instead of faults', false)
  .option('--mail', 'partners invite by e-mail, instead of the doors', false)
  .option('--mailing', 'the organizer writes to the guests, instead of the doors', false)
  .option('--restore', 'a backup is taken under load, everything is destroyed, and the backup is restored', false)
  .option('--scanner', 'the app for stewards in real browsers on bad networks, whose tabs are killed too', false)
  .option(
    '--recipients <number>',
    'recipients who are accepted at least with --mail, guests with --mailing',
    numberFrom(100),
    100_000,
  )
  .option('--harms <number>', 'faults that are injected at least, with --mail and --mailing', numberFrom(1), 30)
  .option('--slack <number>', 'factor for all promised times, on a slow or busy machine', numberFrom(1), 1)
  .option('--seed <number>', 'determines the order of faults', numberFrom(0), Date.now() % 1_000_000)
await runCommand(command)
const {
  seconds,
  scanners,
  seed,
  cluster,
  hosts,
  cells,
  upgrade,
  mail,
  mailing,
  restore,
  scanner,
  recipients,
  harms,
  slack,
} = command.opts<{
  seconds: number
  scanners: number | undefined
  seed: number
  cluster: boolean
  hosts: boolean
  cells: boolean
  upgrade: boolean
  mail: boolean
  mailing: boolean
  restore: boolean
  scanner: boolean
  recipients: number
  harms: number
  slack: number
}>()
if (hosts) {
  const lacking = await lackingForHosts()
  if (lacking) {
    process.stderr.write(`error: --hosts does not work here: ${lacking}\n\n${command.helpInformation()}`)
    process.exit(UNAVAILABLE)
  }
  await isolate(say)
}
// Interrupted devices would retry for another minute.
process.exit(await main())

async function main(): Promise<number> {
  const what = mail || mailing ? `with e-mails to ${recipients} recipients and ${harms} faults` : `of ${seconds} s`
  say(`drill ${what}, --seed ${seed}`)
  // The processes of the system end with this one.
  const interruption = interruptible(say)
  const result = await run({ seed, say, slack, interrupted: interruption.signal }).catch((error) => {
    say(`FAILED: ${error instanceof Unfinished ? error.message : (error as Error).stack}`)
  })
  if (interruption.exitCode !== undefined) {
    say('interrupted: nothing is compared')
    return interruption.exitCode
  }
  if (!result) return 1
  for (const line of reportOf(result)) say(line)
  return result.record.violations.length === 0 ? 0 : 1
}

/** Runs the chosen drill. */
async function run(options: RunOptions): Promise<DrillResult | undefined> {
  if (mail) return runMailDrill({ ...options, recipients, harms })
  if (mailing) return runMailingDrill({ ...options, recipients, harms })
  if (restore) return runRestoreDrill({ ...options, seconds })
  const withScanners = { ...options, seconds, ...(scanners !== undefined && { scanners }) }
  if (hosts) return runHostsDrill(withScanners)
  if (cells) return runCellsDrill(withScanners)
  if (scanner) return runScannerDrill(withScanners)
  return runDrill({ ...withScanners, cluster, upgrades: upgrade })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
