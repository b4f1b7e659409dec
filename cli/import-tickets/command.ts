import { basename, extname } from 'node:path'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { ListSource, ReadBytes } from '@gatehouse/proto/formats/lists/list.ts'
import { Command } from 'commander'
import { type FileOptions, importList, openFile, readerOf, withFileOptions } from '../import/import-file.ts'
import { isKnown } from '../import-check-ins/columns.ts'
import { withTimeOptions } from '../import-check-ins/command.ts'
import { CheckInRowImport } from '../import-check-ins/import.ts'
import { inSystem } from '../system.ts'
import { STOPPED, say, stoppable, type Terminal } from '../terminal.ts'
import { type TicketDestination, TicketRowImport } from './import.ts'
import { isJson, openPretixOrders } from './pretix-json.ts'
import { eventbrite } from './systems/eventbrite.ts'
import { hiEvents } from './systems/hi-events.ts'
import { type FileKind, kindOf, knowsHeader, type TicketSystem, ticketFields } from './systems/kinds.ts'
import { pretix } from './systems/pretix.ts'
import { tito } from './systems/tito.ts'
import { VoucherRowImport } from './vouchers.ts'

/** The options of `gatehouse import pretix` and its like. */
export interface ImportTicketsOptions extends FileOptions, TicketDestination {}

interface OpenFile {
  path: string
  list: ListSource
  kind: FileKind
}

/** Guests come before what belongs to them. */
const ORDER = ['tickets', 'vouchers', 'check-ins']

/** `gatehouse import pretix`, `eventbrite`, `hi-events` and `tito`. */
export function importTicketsCommands(terminal: Terminal): Command[] {
  return [pretix, eventbrite, hiEvents, tito].map((system) => importTicketsCommand(system, terminal))
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
  const files: OpenFile[] = []
  for (const path of paths) files.push(await openExport(system, path, options))
  files.sort((a, b) => ORDER.indexOf(a.kind.what) - ORDER.indexOf(b.kind.what))
  let code = 0
  for (const file of files) {
    if (files.length > 1) say(terminal.out, `${basename(file.path)}: ${file.kind.title}`)
    const { errors } = options
    const own = files.length > 1 && errors !== undefined ? { errors: errorsOf(errors, file.path) } : {}
    code = Math.max(code, await importExport(system, file, { ...options, ...own }, bus, terminal))
    if (code === STOPPED) return code
  }
  return code
}

async function importExport(
  system: TicketSystem,
  { list, kind }: OpenFile,
  options: ImportTicketsOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  if (kind.what === 'tickets') {
    return importList(list, options, await TicketRowImport.into(bus, system, kind, options), terminal)
  }
  if (kind.what === 'vouchers') {
    return importList(list, options, await VoucherRowImport.into(bus, system, kind, options), terminal)
  }
  return importList(list, options, await CheckInRowImport.into(bus, options), terminal)
}

/** Opens a file and tells what it is. Of a workbook, the first sheet that is known counts. Throws one sentence for other files. */
async function openExport(system: TicketSystem, path: string, options: FileOptions): Promise<OpenFile> {
  const read = await readerOf(path)
  const list = await openAny(system, read, options)
  const first = kindOf(system, list.headers)
  if (first) return { path, list, kind: first }
  const others = options.sheet === undefined ? (list.workbook?.sheets ?? []) : []
  for (const sheet of others) {
    const other = await openAny(system, read, { ...options, sheet })
    const kind = kindOf(system, other.headers)
    if (kind) return { path, list: other, kind }
  }
  throw new Error(`${basename(path)} is no export of ${system.title} that is known. Known are: ${system.exports}`)
}

async function openAny(system: TicketSystem, read: ReadBytes, options: FileOptions): Promise<ListSource> {
  if (system.id === pretix.id && (await isJson(read))) return openPretixOrders(read)
  return openFile(read, options, (header) => knowsHeader(system, header) || isKnown(header))
}

/** The file of bad rows of one file among several: `bad-orders.csv`. */
function errorsOf(errors: string, path: string): string {
  const end = extname(errors)
  return `${errors.slice(0, errors.length - end.length)}-${basename(path, extname(path))}${end}`
}

function collected(value: string, before: string[] = []): string[] {
  return [...before, value]
}
