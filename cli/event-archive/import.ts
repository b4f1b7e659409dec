import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Refusal } from '@gatehouse/proto/declaring/event-data.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { Command } from 'commander'
import { callerOf } from '../account.ts'
import { recordAct } from '../acts.ts'
import { eventArchives } from '../permissions.ts'
import { showProgress } from '../progress.ts'
import { retried } from '../retry.ts'
import { inSystem } from '../system.ts'
import { count, STOPPED, say, stoppable, type Terminal } from '../terminal.ts'
import { type ArchivedPart, archivedServices, type EventOfAccount, partsOf } from './archived-services.ts'
import { type Archive, batchesOf, openArchive } from './reading.ts'

/** The options of `gatehouse import everything`. */
export interface ImportEverythingOptions {
  account: string
  withdraw?: boolean
}

/** `gatehouse import everything`. */
export function importEverythingCommand(terminal: Terminal): Command {
  return new Command('everything')
    .description(
      'Import an event that gatehouse export everything has exported, here or elsewhere. Running it again continues where it stopped',
    )
    .argument('<folder>', 'of the export')
    .requiredOption('--account <slug>', 'that takes the event')
    .option('--withdraw', 'delete what an import of the folder has stored that was never completed')
    .action((folder: string, options: ImportEverythingOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => importEverything(folder, options, bus, terminal))),
    )
}

/** Imports an archive. Returns the exit code: 0, 130 when it was stopped. */
export async function importEverything(
  folder: string,
  { account, withdraw }: ImportEverythingOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  const caller = await callerOf(bus, account)
  const archive = await openArchive(folder)
  const { event_id, account_id: from_account_id } = archive.manifest
  const event = { account_id: caller.account_id, event_id }
  const client = clientOf(bus, eventArchives)
  if (withdraw) {
    const { is_known } = await retried(() => client.withdraw({ body: event }))
    if (!is_known) throw new Error(`There is no unfinished import of ${event_id} in the account ${account}`)
    say(terminal.out, `What was stored of ${event_id} is deleted in the background`)
    return 0
  }
  const begin = { account_id: caller.account_id, from_account_id, event: archive.event }
  const begun = await retried(() => client.begin({ body: begin }))
  if (begun.outcome !== 'begun') throw new Error(sentenceOf(begun, event_id))
  if (begun.new_key)
    say(terminal.err, 'Ciphered QR codes that were sent cannot be read here: their key was of another installation')
  await recordAct(bus, caller, 'guests.events.import', event_id)
  const parts = await partsOf(archivedServices(bus), event)
  if (!(await store(archive, event, parts, terminal))) return STOPPED
  for (const { client } of archivedServices(bus)) await retried(() => client.finish({ body: event }))
  const { title } = await retried(() => client.finish({ body: event }))
  const total = archive.manifest.files.reduce((sum, { documents }) => sum + documents, 0)
  say(terminal.out, `"${title}" (${event_id}) is there, with ${count(total, 'record')}`)
  return 0
}

/** Why an import does not begin. */
function sentenceOf({ outcome, title }: Output<(typeof eventArchives)['actions']['begin']>, event_id: string): string {
  const named = `"${title}" (${event_id})`
  if (outcome === 'exists') return `The event ${named} is there already. Nothing was stored`
  if (outcome === 'deleting') return `The event ${named} is still being deleted. Try again in a few minutes`
  if (outcome === 'differs')
    return `Another archive of the event ${named} was imported in part. Import that one, or delete its part with --withdraw`
  return 'event.json cannot be read'
}

/** Stores the documents of an archive. False if it was stopped. */
async function store(
  archive: Archive,
  event: EventOfAccount,
  parts: ArchivedPart[],
  terminal: Terminal,
): Promise<boolean> {
  const { files } = archive.manifest
  const total = files.reduce((sum, { documents }) => sum + documents, 0)
  const known = new Map(parts.map((part) => [part.file, part]))
  const unknown = files.find(({ file }) => (known.get(file)?.collection.holds ?? null) === null)
  if (unknown) throw new Error(`This version of Gatehouse cannot take ${unknown.file}`)
  const inOrder = parts.filter(({ file }) => files.some((each) => each.file === file))
  const progress = showProgress(terminal.err, 'records', total)
  let done = 0
  try {
    for (const part of inOrder) {
      for await (const { lines, count } of batchesOf(archive, part.file)) {
        await put(archive, event, part, lines)
        done += count
        progress.at(done)
        if (!terminal.stop.aborted) continue
        say(terminal.err, 'Stopped. Run it again to continue')
        return false
      }
    }
  } finally {
    progress.end()
  }
  return true
}

async function put(
  { manifest }: Archive,
  event: EventOfAccount,
  { client, collection, file }: ArchivedPart,
  documents: string,
): Promise<void> {
  const body = { ...event, from_account_id: manifest.account_id, collection: collection.name, documents }
  const { refused } = await retried(() => client.put({ body }))
  const [first] = refused
  if (first) throw new Error(`${file} ${first._id} ${reasons[first.why]}`)
}

const reasons: Record<Refusal, string> = {
  unreadable: 'has a line that is no record',
  other_event: 'is of another event',
  other_account: 'is of another account',
  unfinished: 'waits for work, which an import would begin: export the event again',
  different: 'is there already with other content',
}
