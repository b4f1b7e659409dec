import { type ListSource, openList, type ReadBytes } from '@gatehouse/proto/formats/lists/list.ts'
import { targets as checkInTargets, isKnown } from '../check-ins/columns.ts'
import { CheckInRowImport } from '../check-ins/import.ts'
import type { ImportableRow, RowImport } from '../row-import.ts'
import type { EventSystem } from '../system.ts'
import { type TicketDestination, TicketRowImport, ticketTargets } from './import.ts'
import { isJson, openPretixOrders } from './pretix-json.ts'
import { type FileKind, kindOf, knowsHeader, type TicketSystem } from './systems/kinds.ts'
import { pretix } from './systems/pretix.ts'
import { VoucherRowImport, voucherTargets } from './vouchers.ts'

/** An export of a ticketing system, as it was told by its headers. */
export interface OpenExport {
  system: TicketSystem
  kind: FileKind
  list: ListSource
}

/** Opens a file as a list; `isKnown` says which headers mean something. */
export type OpenFile = (isKnown: (header: string) => boolean, sheet?: string) => Promise<ListSource>

/** Guests come before what belongs to them. */
const ORDER = ['tickets', 'vouchers', 'check-ins']

/** Exports in the order in which they are imported. */
export function inOrder<E extends { kind: FileKind }>(files: readonly E[]): E[] {
  return files.toSorted((a, b) => ORDER.indexOf(a.kind.what) - ORDER.indexOf(b.kind.what))
}

/**
 * Opens a file and tells from which of the systems it is, and what. Of a workbook, the first sheet that is known counts, unless `isSheetGiven`. Undefined if
 * none of them exports such a file.
 */
export async function openExport(
  systems: readonly TicketSystem[],
  read: ReadBytes,
  open: OpenFile = (known, sheet) => openList(read, { sheet, isKnown: known }),
  isSheetGiven = false,
): Promise<OpenExport | undefined> {
  if (systems.includes(pretix) && (await isJson(read))) return found(systems, await openPretixOrders(read))
  const isAnyKnown = (header: string) => isKnown(header) || systems.some((system) => knowsHeader(system, header))
  const list = await open(isAnyKnown)
  const first = found(systems, list)
  if (first) return first
  for (const sheet of isSheetGiven ? [] : (list.workbook?.sheets ?? [])) {
    const other = found(systems, await open(isAnyKnown, sheet))
    if (other) return other
  }
  return undefined
}

function found(systems: readonly TicketSystem[], list: ListSource): OpenExport | undefined {
  for (const system of systems) {
    const kind = kindOf(system, list.headers)
    if (kind) return { system, kind, list }
  }
  return undefined
}

const TARGETS: Record<FileKind['what'], readonly string[]> = {
  tickets: ticketTargets,
  vouchers: voucherTargets,
  'check-ins': checkInTargets,
}

/** What a column of a file may be said to be. */
export function targetsOf({ what }: Pick<FileKind, 'what'>): readonly string[] {
  return TARGETS[what]
}

/** What a column of a file is: one of its targets. */
export function targetOf(kind: Pick<FileKind, 'what'>, column: unknown): string {
  const { field = '-' } = column as { field?: string }
  return targetsOf(kind).includes(field) ? field : '-'
}

/** The import of an export. Throws one sentence when there is no such check-in point, and for a time that cannot be read. */
export async function importOf(
  { system, kind }: Pick<OpenExport, 'system' | 'kind'>,
  into: EventSystem,
  options: TicketDestination,
): Promise<RowImport<unknown, ImportableRow>> {
  const work =
    kind.what === 'tickets'
      ? await TicketRowImport.into(into, [system, kind], options)
      : kind.what === 'vouchers'
        ? await VoucherRowImport.into(into, [system, kind], options)
        : await CheckInRowImport.into(into, options)
  return work as unknown as RowImport<unknown, ImportableRow>
}
