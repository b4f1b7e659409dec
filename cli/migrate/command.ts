import { readFile } from 'node:fs/promises'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { numberFrom } from '@gatehouse/proto/process/command.ts'
import { Command } from 'commander'
import { callerOf } from '../account.ts'
import { inSystem } from '../system.ts'
import { STOPPED, say, stoppable, type Terminal } from '../terminal.ts'
import { Follower } from './follow.ts'
import { printPlan } from './plan.ts'
import { MigrationReport } from './report.ts'
import { migrate } from './run.ts'
import { Source } from './source.ts'

/** The options of `gatehouse migrate`. */
export interface MigrateOptions {
  from: string
  tokenFile: string
  account: string
  event?: string[]
  plan?: boolean
  verify?: boolean
  follow?: boolean
  /** Seconds between comparisons of everything. */
  compareEvery?: number
  concurrency?: number
  /** Seconds. */
  timeout?: number
  report?: string
}

const MAX_CONCURRENCY = 16
const TIMEOUT = 15 * 60

/** `gatehouse migrate`. */
export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .description(
      'Take over events of a system with this interface, with their ids and times. Running it again continues where it stopped, takes nothing twice, and changes here what has changed there alone',
    )
    .requiredOption('--from <url>', 'address of that system')
    .requiredOption('--token-file <file>', 'a file with its auth_token')
    .requiredOption('--account <slug>', 'the account here that gets the events')
    .option('--event <id...>', 'only these events')
    .option('--plan', 'say what would come and how long it takes, and store nothing')
    .option('--verify', 'compare every field of everything, and store nothing; ends with 1 if something differs')
    .option('--follow', 'then keep the events equal to those there until it is stopped by Ctrl-C')
    .option(
      '--compare-every <seconds>',
      'with --follow: the pause between comparisons of everything',
      numberFrom(1),
      300,
    )
    .option('--concurrency <number>', 'requests at once', numberFrom(1, MAX_CONCURRENCY), 3)
    .option('--timeout <seconds>', 'how long to wait while that system does not answer', numberFrom(1), TIMEOUT)
    .option('--report <file>', 'write each thing that was not taken, or differs, to this file as a line of JSON')
    .action((options: MigrateOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => runMigration(options, bus, terminal))),
    )
}

/** Takes over events. Returns the exit code: 0; 1 if something was not taken or differs; 130 if it was stopped. */
export async function runMigration(options: MigrateOptions, bus: Bus, terminal: Terminal): Promise<number> {
  const { from, tokenFile, account, event = [], plan, verify = false, follow, concurrency = 3 } = options
  const { err, stop } = terminal
  const token = (await readFile(tokenFile, 'utf8')).trim()
  if (!token) throw new Error(`${tokenFile} is empty`)
  if (!/^https?:\/\//.test(from)) throw new Error(`--from is no address: ${from}`)
  const { account_id } = await callerOf(bus, account)
  const patienceMs = (options.timeout ?? TIMEOUT) * 1_000
  const source = new Source({ url: from, token, concurrency, patienceMs, stop, say: (line) => say(err, line) })
  if (follow && (plan || verify)) throw new Error('--follow goes without --plan and --verify')
  const report = new MigrationReport(err, options.report)
  const migration = { source, bus, account_id, ids: event, report, stop }
  const compareEveryMs = (options.compareEvery ?? 300) * 1_000
  const follower = follow && new Follower({ ...migration, compareEveryMs, say: (line) => say(err, line) })
  try {
    if (plan) await printPlan(source, event, terminal.out)
    else if (follower) await follower.begin()
    else await migrate(migration, verify)
  } catch (error) {
    report.print()
    if (!stop.aborted) throw error
    say(err, 'Stopped. Run it again to continue')
    return STOPPED
  }
  report.print()
  if (follower) {
    say(err, 'Following. Ctrl-C ends it')
    await follower.follow()
    return 0
  }
  return report.hasDifferences ? 1 : 0
}
