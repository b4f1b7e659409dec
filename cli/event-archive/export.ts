import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Command } from 'commander'
import rootManifest from '../../package.json' with { type: 'json' }
import { recordAct } from '../acts.ts'
import { ownerOf } from '../event-caller.ts'
import { eventArchives } from '../permissions.ts'
import { showProgress } from '../progress.ts'
import { retried } from '../retry.ts'
import { inSystem } from '../system.ts'
import { count, STOPPED, say, stoppable, type Terminal } from '../terminal.ts'
import { type ArchivedPart, archivedServices, type EventOfAccount, partsOf } from './archived-services.ts'
import { withoutBytes } from './binaries.ts'
import { EVENT_FILE, MANIFEST, type Manifest, README, written } from './manifest.ts'
import { readmeOf } from './readme.ts'

/** The options of `gatehouse export everything`. */
export interface ExportEverythingOptions {
  event: string
  out?: string
}

/** How long an export waits for work on a document to end. */
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 500

/** `gatehouse export everything`. */
export function exportEverythingCommand(terminal: Terminal): Command {
  return new Command('everything')
    .description('Export an event with all that is in it into a folder; gatehouse import everything reads it back')
    .requiredOption('--event <id>', 'which')
    .option('--out <folder>', 'a new folder; by default event-ID')
    .action((options: ExportEverythingOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => exportEverything(options, bus, terminal))),
    )
}

/** Exports an event into a folder, which appears only when it is complete. Returns the exit code: 0, 130 when it was stopped. */
export async function exportEverything(
  { event: event_id, out = `event-${event_id}` }: ExportEverythingOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  const caller = await ownerOf(bus, event_id, 'export')
  const event = { account_id: caller.account_id, event_id }
  if (await isThere(out)) throw new Error(`${out} is there already: name another folder with --out`)
  const unfinished = `${out}.part`
  if (await isThere(unfinished))
    throw new Error(`Delete ${unfinished} first: it is left of an export that was interrupted`)
  await recordAct(bus, caller, 'guests.events.export', event_id)
  await mkdir(unfinished, { mode: 0o700, recursive: true })
  try {
    const documents = await exportInto(unfinished, event, bus, terminal)
    await rename(unfinished, out)
    say(terminal.err, `${count(documents, 'record')} in ${out}`)
    return 0
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!terminal.stop.aborted) throw error
    say(terminal.err, 'Stopped')
    return STOPPED
  }
}

/** Writes an archive into an empty folder. Returns how many documents it has. */
async function exportInto(folder: string, event: EventOfAccount, bus: Bus, { err, stop }: Terminal): Promise<number> {
  const { event: stored, title, is_archived } = await retried(() => clientOf(bus, eventArchives).read({ body: event }))
  if (!is_archived)
    say(err, 'The event is not archived: what changes in it from now on may be missing or halfway in the export')
  await writeFile(join(folder, EVENT_FILE), `${stored}\n`)
  const parts = await partsOf(archivedServices(bus), event)
  const travelling = parts.filter(({ collection }) => collection.holds !== null)
  const total = travelling.reduce((sum, { collection }) => sum + collection.count, 0)
  const progress = showProgress(err, 'records', total)
  let done = 0
  const files: Manifest['files'] = []
  try {
    // Guests last: they then have come in as the check-ins say.
    for (const part of travelling.toReversed()) {
      const before = done
      const lines = Readable.from(linesOf(folder, event, part, () => progress.at(++done)))
      await pipeline(lines, createWriteStream(join(folder, part.file)), { signal: stop })
      files.unshift({ file: part.file, documents: done - before })
    }
  } finally {
    progress.end()
  }
  const exported_at = new Date().toISOString()
  const manifest: Manifest = { ...event, title, gatehouse: rootManifest.version, exported_at, files }
  await writeFile(join(folder, README), readmeOf(manifest, parts))
  await writeFile(join(folder, MANIFEST), written(manifest))
  return done
}

/** The documents of a collection, each a line. Their bytes go into files. */
async function* linesOf(
  folder: string,
  event: EventOfAccount,
  part: ArchivedPart,
  onLine: () => void,
): AsyncGenerator<string> {
  const place = `${part.name}.${part.collection.name}`
  for (let after: string | null = null; ; ) {
    const { documents, count, next } = await finishedPage(event, part, after)
    for (const line of count === 0 ? [] : documents.split('\n')) {
      onLine()
      yield `${await withoutBytes(line, folder, place)}\n`
    }
    if (next === null) return
    after = next
  }
}

/** A page of documents that no other work is about to change. */
async function finishedPage(event: EventOfAccount, { client, collection, name }: ArchivedPart, after: string | null) {
  const body = { ...event, collection: collection.name, after }
  for (const until = performance.now() + PATIENCE_MS; ; ) {
    const page = await retried(() => client.read({ body }))
    if (page.unfinished === null) return page
    if (performance.now() > until)
      throw new Error(
        `${name}.${collection.name} ${page.unfinished} is about to change: something waits, such as an e-mail to be sent. Try again later, or pause what sends it`,
      )
    await sleep(LOOK_EVERY_MS)
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
