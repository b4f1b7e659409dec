import { isKnown } from '@gatehouse/imports/check-ins/columns.ts'
import { columnName } from '@gatehouse/imports/chosen-columns.ts'
import { lookAtList, MissingThings, runList } from '@gatehouse/imports/passes.ts'
import type { Problem } from '@gatehouse/imports/problem.ts'
import type { ImportCounts, Missing, UnimportableRow } from '@gatehouse/imports/row-import.ts'
import type { EventSystem } from '@gatehouse/imports/system.ts'
import {
  importOf,
  inOrder,
  type OpenExport,
  openExport,
  targetOf,
  targetsOf,
} from '@gatehouse/imports/tickets/exports.ts'
import type { TicketDestination } from '@gatehouse/imports/tickets/import.ts'
import { ticketSystems } from '@gatehouse/imports/tickets/systems/all.ts'
import type { TicketSystem } from '@gatehouse/imports/tickets/systems/kinds.ts'
import { openList, type ReadBytes } from '@gatehouse/proto/formats/lists/list.ts'
import type { Slice } from '@gatehouse/proto/formats/lists/slices.ts'

/*
 * Reads files of other systems, and brings them into an event. It is loaded when a file is chosen: what reads files is large.
 */

export { csvOf } from '../guests/guest-file.ts'
export { HttpEventSystem } from './http-event-system.ts'

/** What the files are: exports of a ticketing system, or a list of who came when. */
export type FilesKind = 'tickets' | 'attendance'

/** A file that was read. */
export interface BroughtFile extends OpenExport {
  name: string
}

/** What would come of a file, or came. */
export interface Outcome {
  name: string
  /** The ticketing system; undefined for a list of check-ins. */
  system: string | undefined
  what: OpenExport['kind']['what']
  headers: readonly string[]
  /** What each column is, and what one may be. */
  columns: readonly string[]
  targets: readonly string[]
  rows: readonly { line: number; cells: readonly string[] }[]
  imported: number
  alreadyThere: number
  leftOut: ReadonlyMap<string, number>
  bad: ToldRow[]
  warnings: ToldRow[]
  missing: Missing[]
  counts: ImportCounts | undefined
}

/** A row that was not imported, or should be looked at. */
export interface ToldRow {
  line: number
  cells: readonly string[]
  problem: Problem
}

/** What somebody says that a file does not say. */
export interface Choices {
  options: TicketDestination
  /** What columns are, by their places. */
  chosen: Readonly<Record<number, string>>
}

/** Rows that the preview may show. */
const SHOWN = 5
/** Bytes that are read at once. */
const PIECE = 262_144
/** How long the page may be busy before it can answer somebody. */
const BUSY_MS = 20

/** Lists of check-ins belong to no ticketing system. */
const OWN: TicketSystem = { id: '', title: '', exports: '', kinds: [] }

/** A file that is not one of those that are known. */
export class UnknownFile extends Error {}

/** Opens files and tells what each is, in the order in which they are imported. */
export async function openFiles(files: readonly File[], kind: FilesKind): Promise<BroughtFile[]> {
  const opened: BroughtFile[] = []
  for (const file of files) {
    const read = readerOf(file)
    const slice = slices()
    if (kind === 'attendance') {
      const list = await openList(read, { isKnown, slice })
      opened.push({ name: file.name, system: OWN, kind: { ...CHECK_INS }, list })
      continue
    }
    const found = await openExport(ticketSystems, read, (known, sheet) =>
      openList(read, { sheet, slice, isKnown: known }),
    )
    if (!found) throw new UnknownFile(file.name)
    opened.push({ name: file.name, ...found })
  }
  return inOrder(opened)
}

const CHECK_INS = { what: 'check-ins', title: '', signs: [], columns: {} } as const

/** Says what would come of a file. Writes nothing. */
export async function lookAt(
  file: BroughtFile,
  into: EventSystem,
  { options, chosen }: Choices,
  stop: AbortSignal,
): Promise<Outcome> {
  const { outcome, listener } = begin(file)
  const work = await importOf(file, into, options)
  const columns = await work.columnsOf(file.list, overridesOf(chosen))
  const missing = new MissingThings()
  const sums = await lookAtList(work, file.list, columns, { ...listener, plan: (plan) => missing.add(plan) }, stop)
  const first = await firstRows(file.list)
  const found = columns.map((column) => targetOf(file.kind, column))
  return { ...outcome, ...sums, columns: found, rows: first, missing: missing.all, counts: work.counts }
}

/** Imports a file. Returns what came, and how many rows are left because it was stopped. */
export async function bring(
  file: BroughtFile,
  into: EventSystem,
  { options, chosen }: Choices,
  at: (done: number) => void,
  stop: AbortSignal,
): Promise<Outcome & { left: number }> {
  const { outcome, listener } = begin(file)
  const work = await importOf(file, into, options)
  const columns = await work.columnsOf(file.list, overridesOf(chosen))
  const sums = await runList(work, file.list, columns, { ...listener, at }, stop)
  return { ...outcome, ...sums, counts: work.counts }
}

/** What columns were said to be, as the command line says it. A column goes by its place: two may have one header. */
function overridesOf(chosen: Choices['chosen']): Map<string, string> {
  return new Map(Object.entries(chosen).map(([index, target]) => [columnName(Number(index)), target]))
}

async function firstRows(list: OpenExport['list']): Promise<Outcome['rows']> {
  for await (const rows of list.rows()) return rows.slice(0, SHOWN)
  return []
}

function begin({ name, system, kind, list }: BroughtFile) {
  const outcome = {
    name,
    system: system === OWN ? undefined : system.title,
    what: kind.what,
    headers: list.headers,
    columns: [] as string[],
    targets: targetsOf(kind),
    rows: [] as Outcome['rows'],
    bad: [] as ToldRow[],
    warnings: [] as ToldRow[],
    missing: [] as Missing[],
  }
  const told = ({ row: { line, cells }, problem }: UnimportableRow): ToldRow => ({ line, cells, problem })
  const listener = {
    bad: (rows: readonly UnimportableRow[]): void => void outcome.bad.push(...rows.map(told)),
    warnings: (rows: readonly UnimportableRow[]): void => void outcome.warnings.push(...rows.map(told)),
  }
  return { outcome, listener }
}

/** Reads a file piece by piece, however often. */
function readerOf(file: File): ReadBytes {
  return async function* () {
    for (let at = 0; at < file.size; at += PIECE) {
      yield new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer())
    }
  }
}

/** Lets the page answer whoever uses it, between slices. */
function slices(): Slice {
  let since = performance.now()
  return async (work) => {
    const done = work()
    if (performance.now() - since > BUSY_MS) {
      await new Promise<void>((resolve) => setTimeout(resolve))
      since = performance.now()
    }
    return done
  }
}
