import { open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { recordsOf, SUFFIX } from '@gatehouse/proto/formats/archives/manifest.ts'
import { type ArchiveSource, archivePart } from '@gatehouse/proto/formats/archives/writing.ts'
import { numberFrom } from '@gatehouse/proto/process/command.ts'
import { Command } from 'commander'
import rootManifest from '../../package.json' with { type: 'json' }
import { recordAct } from '../acts.ts'
import { ownerOf } from '../event-caller.ts'
import { eventArchives, eventData } from '../permissions.ts'
import { showProgress } from '../progress.ts'
import { retried } from '../retry.ts'
import { inSystem } from '../system.ts'
import { count, STOPPED, say, stoppable, type Terminal } from '../terminal.ts'
import { sayWhileWaiting } from '../waiting.ts'

/** The options of `gatehouse export everything`. */
export interface ExportEverythingOptions {
  event: string
  out?: string
  /** Seconds. */
  wait?: number
}

const LOOK_EVERY_MS = 500
const TAKES_WAITING =
  'E-mails that still wait to be sent are exported as they are. After an import they are held until their campaign or mailing is resumed'

/** `gatehouse export everything`. */
export function exportEverythingCommand(terminal: Terminal): Command {
  return new Command('everything')
    .description('Export an event with all that is in it into one file; gatehouse import everything reads it back')
    .requiredOption('--event <id>', 'which')
    .option('--out <file>', `a new file; by default event-ID.${SUFFIX}`)
    .option('--wait <seconds>', 'how long to wait until e-mails have left that wait to be sent', numberFrom(0), 60)
    .action((options: ExportEverythingOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => exportEverything(options, bus, terminal))),
    )
}

/** Exports an event into a file, which appears only when it is complete. Returns the exit code: 0, 130 when it was stopped. */
export async function exportEverything(
  { event: event_id, out = `event-${event_id}.${SUFFIX}`, wait = 60 }: ExportEverythingOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  const caller = await ownerOf(bus, event_id, 'export')
  if (await isThere(out)) throw new Error(`${out} is there already: name another file with --out`)
  const unfinished = `${out}.part`
  if (await isThere(unfinished))
    throw new Error(`Delete ${unfinished} first: it is left of an export that was interrupted`)
  await recordAct(bus, caller, 'guests.events.export', event_id)
  try {
    const source = sourceOf(bus, { account_id: caller.account_id, event_id }, wait)
    const records = await exportInto(unfinished, source, terminal)
    await rename(unfinished, out)
    say(terminal.err, `${count(records, 'record')} in ${out}`)
    return 0
  } catch (error) {
    await rm(unfinished, { force: true })
    if (!terminal.stop.aborted) throw error
    say(terminal.err, 'Stopped')
    return STOPPED
  }
}

function sourceOf(
  bus: Bus,
  event: ArchiveSource['event'],
  wait: number,
): ArchiveSource & { isArchived(): Promise<boolean> } {
  const archives = clientOf(bus, eventArchives)
  const read = () => retried(() => archives.read({ body: event }))
  const services = eventData.map((each) => {
    const client = clientOf(bus, each)
    return {
      name: each.service,
      client: {
        contents: (given: Parameters<typeof client.contents>[0]) => retried(() => client.contents(given)),
        read: (given: Parameters<typeof client.read>[0]) => retried(() => client.read(given)),
      },
    }
  })
  return {
    event,
    version: rootManifest.version,
    services,
    waitMs: wait * 1_000,
    read,
    seal: async (digest) => (await retried(() => archives.seal({ body: { digest } }))).seal,
    isArchived: async () => (await read()).is_archived,
  }
}

/** Writes an archive into a file. Returns how many records it has. */
async function exportInto(path: string, source: ReturnType<typeof sourceOf>, { err, stop }: Terminal): Promise<number> {
  if (!(await source.isArchived()))
    say(err, 'The event is not archived: what changes in it from now on may be missing or halfway in the export')
  const file = await open(path, 'wx', 0o600)
  let { bytes, next } = await archivePart(source)
  const progress = showProgress(err, 'records', next?.records ?? 0)
  let records = 0
  let waiting: (() => void) | undefined
  let saysTaking = false
  try {
    stop.throwIfAborted()
    await file.write(bytes)
    while (next) {
      stop.throwIfAborted()
      if (next.unfinished) {
        const { record } = next.unfinished
        waiting ??= sayWhileWaiting((waited) => say(err, `Waiting for ${record}, which is about to change: ${waited}`))
        await sleep(LOOK_EVERY_MS, undefined, { signal: stop })
      }
      if (next.takes_waiting && !saysTaking) say(err, TAKES_WAITING)
      saysTaking ||= next.takes_waiting === true
      const part = await archivePart(source, next)
      if (!part.next?.unfinished) waiting = void waiting?.()
      records = recordsOf(part.counts)
      ;({ bytes, next } = part)
      await file.write(bytes)
      progress.at(records)
    }
    return records
  } finally {
    waiting?.()
    progress.end()
    await file.close()
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
