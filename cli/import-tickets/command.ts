import { basename, extname } from 'node:path'
import { importOf, inOrder, type OpenExport, openExport } from '@gatehouse/imports/tickets/exports.ts'
import type { TicketDestination } from '@gatehouse/imports/tickets/import.ts'
import { ticketSystems } from '@gatehouse/imports/tickets/systems/all.ts'
import { type TicketSystem, ticketFields } from '@gatehouse/imports/tickets/systems/kinds.ts'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { Command } from 'commander'
import { BusEventSystem } from '../import/bus-event-system.ts'
import { type FileOptions, importList, openFile, readerOf, withFileOptions } from '../import/import-file.ts'
import { withTimeOptions } from '../import-check-ins/command.ts'
import { inSystem } from '../system.ts'
import { STOPPED, say, stoppable, type Terminal } from '../terminal.ts'

/** The options of `gatehouse import pretix` and its like. */
export interface ImportTicketsOptions extends FileOptions, TicketDestination {
  /** Of the guests. */
  event: string
}

type NamedExport = OpenExport & { path: string }

/** `gatehouse import pretix`, `eventbrite`, `hi-events` and `tito`. */
export function importTicketsCommands(terminal: Terminal): Command[] {
  return ticketSystems.map((system) => importTicketsCommand(system, terminal))
}

function importTicketsCommand(system: TicketSystem, terminal: Terminal): Command {
  const command = new Command(system.id)
    .description(
      `Import tickets of ${system.title} as guests whose printed tickets open the door here, with their check-ins. Running it again continues where it stopped and imports nothing twice`,
    )
    .argument('<files...>', `as they were downloaded: ${system.exports}`)
    .requiredOption('--event <id>', 'the event of the guests')
    .option('--category <name>', 'guest category, by name or id, of tickets without a type')
    .option('--without <type>', 'leave out tickets of this type, such as merchandise; repeatable', collected)
    .option('--unpaid', 'import tickets that are not paid too')
    .option('--no-check-ins', 'leave out when tickets were scanned')
  return withFileOptions(withTimeOptions(command), `${ticketFields.join(', ')}, note or answer`).action(
    (files: string[], options: ImportTicketsOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => importTickets(system, files, options, bus, terminal))),
  )
}

/** Imports files of a system. Returns the exit code: 0, 1 when rows were bad, 130 when it was stopped. */
export async function importTickets(
  system: TicketSystem,
  paths: readonly string[],
  options: ImportTicketsOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  const opened: NamedExport[] = []
  for (const path of paths) opened.push(await openNamed(system, path, options))
  const files = inOrder(opened)
  let code = 0
  for (const file of files) {
    if (files.length > 1) say(terminal.out, `${basename(file.path)}: ${file.kind.title}`)
    const { errors } = options
    const own = files.length > 1 && errors !== undefined ? { errors: errorsOf(errors, file.path) } : {}
    code = Math.max(code, await importExport(file, { ...options, ...own }, bus, terminal))
    if (code === STOPPED) return code
  }
  return code
}

async function importExport(
  file: NamedExport,
  options: ImportTicketsOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  const into = await BusEventSystem.open(bus, options.event)
  return importList(file.list, options, await importOf(file, into, options), terminal)
}

/** Opens a file and tells what it is. Throws one sentence for other files. */
async function openNamed(system: TicketSystem, path: string, options: FileOptions): Promise<NamedExport> {
  const read = await readerOf(path)
  const isSheetGiven = options.sheet !== undefined
  const found = await openExport(
    [system],
    read,
    (isKnown, sheet = options.sheet) => openFile(read, { ...options, ...(sheet && { sheet }) }, isKnown),
    isSheetGiven,
  )
  if (found) return { ...found, path }
  throw new Error(`${basename(path)} is no export of ${system.title} that is known. Known are: ${system.exports}`)
}

/** The file of bad rows of one file among several: `bad-orders.csv`. */
function errorsOf(errors: string, path: string): string {
  const end = extname(errors)
  return `${errors.slice(0, errors.length - end.length)}-${basename(path, extname(path))}${end}`
}

function collected(value: string, before: string[] = []): string[] {
  return [...before, value]
}
