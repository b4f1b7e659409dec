import { Readable } from 'node:stream'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { escapeFormula } from '@gatehouse/proto/formats/lists/formulas.ts'
import { Command } from 'commander'
import { stringify } from 'csv-stringify'
import { recordAct } from '../acts.ts'
import { readDelimiter } from '../delimiter.ts'
import { exportEverythingCommand } from '../event-archive/export.ts'
import { ownerOf } from '../event-caller.ts'
import { events } from '../permissions.ts'
import { showProgress } from '../progress.ts'
import { retried } from '../retry.ts'
import { inSystem } from '../system.ts'
import { count, isScreen, STOPPED, say, stoppable, type Terminal } from '../terminal.ts'
import { checkInRows } from './check-ins.ts'
import { guestRows } from './guests.ts'
import { counted, writeOut } from './out.ts'
import { personalDataCommand } from './personal-data.ts'

/** The options of `gatehouse export`. */
export interface ExportOptions {
  event: string
  out?: string
  delimiter?: string
  bom?: boolean
}

export type Exported = 'guests' | 'check-ins'

/** `gatehouse export`. */
export function exportCommand(terminal: Terminal): Command {
  const command = new Command('export').description('Export data to files')
  const what: [Exported, string][] = [
    [
      'guests',
      'Export the guests of an event, with metadata in separate columns; gatehouse import guests reads it back',
    ],
    ['check-ins', 'Export the check-ins of an event'],
  ]
  for (const [name, description] of what) {
    command
      .command(name)
      .description(description)
      .requiredOption('--event <id>', 'whose')
      .option('--out <file>', 'write to this file instead of standard output')
      .option('--delimiter <sign>', 'between cells', readDelimiter, ',')
      .option('--no-bom', 'omit the byte order mark, by which spreadsheets recognize UTF-8')
      .action((options: ExportOptions) =>
        stoppable(terminal, () => inSystem(terminal, ({ bus }) => exportEvent(name, options, bus, terminal))),
      )
  }
  return command.addCommand(personalDataCommand(terminal)).addCommand(exportEverythingCommand(terminal))
}

/** Exports guests or check-ins of an event. Returns the exit code: 0, 130 when it was stopped. */
export async function exportEvent(
  what: Exported,
  { event, out, delimiter = ',', bom = true }: ExportOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  const caller = await ownerOf(bus, event, 'export')
  const counts = await retried(() => clientOf(bus, events).read({ params: { event_id: event }, caller }))
  const total = what === 'guests' ? counts.guest_count : counts.check_in_count
  const leftOut = new Set<string>()
  await recordAct(bus, caller, what === 'guests' ? 'guests.guests.export' : 'checkin.access_controls.export', event)
  const rows = what === 'guests' ? guestRows(bus, caller, event, leftOut) : checkInRows(bus, caller, event)
  // Rows and a bar on the same screen would overwrite each other.
  const silent = out === undefined && isScreen(terminal.out)
  const progress = silent ? { at: () => {}, end: () => {} } : showProgress(terminal.err, what, total)
  // The header is not a record.
  let done = -1
  try {
    const csv = stringify({ delimiter, bom, cast: { string: escapeFormula } })
    const source = Readable.from(counted(rows, () => progress.at(++done)))
    await writeOut([source, csv], { file: out, stream: terminal.out }, terminal.stop)
  } catch (error) {
    if (!terminal.stop.aborted) throw error
    say(terminal.err, 'Stopped')
    return STOPPED
  } finally {
    progress.end()
  }
  for (const name of leftOut) say(terminal.err, `metadata "${name}" was added during the export and is left out`)
  if (out !== undefined) say(terminal.err, `${count(done, what === 'guests' ? 'guest' : 'check-in')} in ${out}`)
  return 0
}
