import { openAsBlob } from 'node:fs'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Refusal } from '@gatehouse/proto/declaring/event-data.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { type ArchiveDestination, importArchive } from '@gatehouse/proto/formats/archives/importing.ts'
import { type Manifest, recordsOf } from '@gatehouse/proto/formats/archives/manifest.ts'
import type { Page } from '@gatehouse/proto/formats/archives/pages.ts'
import { checkArchive, type OpenArchive } from '@gatehouse/proto/formats/archives/reading.ts'
import { Command } from 'commander'
import { callerOf } from '../account.ts'
import { recordAct } from '../acts.ts'
import { eventArchives, eventData } from '../permissions.ts'
import { showProgress } from '../progress.ts'
import { retried } from '../retry.ts'
import { inSystem } from '../system.ts'
import { count, STOPPED, say, stoppable, type Terminal } from '../terminal.ts'

/** The options of `gatehouse import everything`. */
export interface ImportEverythingOptions {
  account: string
  withdraw?: boolean
}

type Caller = Awaited<ReturnType<typeof callerOf>>

/** `gatehouse import everything`. */
export function importEverythingCommand(terminal: Terminal): Command {
  return new Command('everything')
    .description(
      'Import an event that gatehouse export everything, or the console, has exported, here or elsewhere. Running it again continues where it stopped',
    )
    .argument('<file>', 'of the export')
    .requiredOption('--account <slug>', 'that takes the event')
    .option('--withdraw', 'delete what an import of the file has stored that was never completed')
    .action((file: string, options: ImportEverythingOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => importEverything(file, options, bus, terminal))),
    )
}

/** Imports an archive. Returns the exit code: 0, 130 when it was stopped. */
export async function importEverything(
  file: string,
  { account, withdraw }: ImportEverythingOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  const caller = await callerOf(bus, account)
  const blob = await openAsBlob(file)
  const open: OpenArchive = () => blob.stream()
  const { manifest, counts } = await checkArchive(open)
  const { event_id } = manifest
  if (withdraw) {
    const body = { account_id: caller.account_id, event_id }
    const { is_known } = await retried(() => clientOf(bus, eventArchives).withdraw({ body }))
    if (!is_known) throw new Error(`There is no unfinished import of ${event_id} in the account ${account}`)
    say(terminal.out, `What was stored of ${event_id} is deleted in the background`)
    return 0
  }
  const total = recordsOf(counts)
  const progress = showProgress(terminal.err, 'records', total)
  const into = new BusDestination(bus, caller, terminal)
  const { isStopped } = await importArchive(open, into, progress.at, terminal.stop).finally(progress.end)
  if (isStopped) {
    say(terminal.err, 'Stopped. Run it again to continue')
    return STOPPED
  }
  say(terminal.out, `"${manifest.title}" (${event_id}) is there, with ${count(total, 'record')}`)
  return 0
}

/** The services of a system, which believe the command line: an archive may be of another Gatehouse. */
class BusDestination implements ArchiveDestination {
  readonly #archives
  readonly #services
  readonly #bus: Bus
  readonly #caller: Caller
  readonly #terminal: Terminal

  constructor(bus: Bus, caller: Caller, terminal: Terminal) {
    this.#archives = clientOf(bus, eventArchives)
    this.#services = new Map(eventData.map((each) => [each.service, clientOf(bus, each)]))
    this.#bus = bus
    this.#caller = caller
    this.#terminal = terminal
  }

  async begin({ account_id: from_account_id, event_id }: Manifest, { documents: event }: Page): Promise<void> {
    const body = { account_id: this.#caller.account_id, from_account_id, event }
    const begun = await retried(() => this.#archives.begin({ body }))
    if (begun.outcome !== 'begun') throw new Error(sentenceOf(begun, event_id))
    if (begun.new_key)
      say(
        this.#terminal.err,
        'Ciphered QR codes that were sent cannot be read here: their key was of another installation',
      )
    await recordAct(this.#bus, this.#caller, 'guests.events.import', event_id)
  }

  async put(
    { account_id: from_account_id, event_id }: Manifest,
    { collection: whole, name, documents }: Page,
  ): Promise<void> {
    const [service = '', collection = ''] = whole.split('.')
    const client = this.#services.get(service)
    if (!client) throw new Error(`This version of Gatehouse cannot take ${whole}`)
    const body = { account_id: this.#caller.account_id, event_id, from_account_id, collection, documents }
    const { refused } = await retried(() => client.put({ body }))
    const [first] = refused
    if (first) throw new Error(`${name} ${first._id} ${reasons[first.why]}`)
  }

  async finish({ event_id }: Manifest): Promise<void> {
    const body = { account_id: this.#caller.account_id, event_id }
    for (const client of this.#services.values()) await retried(() => client.finish({ body }))
    await retried(() => this.#archives.finish({ body }))
  }
}

/** Why an import does not begin. */
function sentenceOf({ outcome, title }: Output<(typeof eventArchives)['actions']['begin']>, event_id: string): string {
  const named = `"${title}" (${event_id})`
  if (outcome === 'exists') return `The event ${named} is there already. Nothing was stored`
  if (outcome === 'deleting') return `The event ${named} is still being deleted. Try again in a few minutes`
  if (outcome === 'differs')
    return `Another archive of the event ${named} was imported in part. Import that one, or delete its part with --withdraw`
  return 'The event in the archive cannot be read'
}

const reasons: Record<Refusal, string> = {
  unreadable: 'has a line that is no record',
  other_event: 'is of another event',
  other_account: 'is of another account',
  unfinished: 'waits for work, which an import would begin: export the event again',
  different: 'is there already with other content',
}
