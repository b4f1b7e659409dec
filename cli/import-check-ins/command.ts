import { targets } from '@gatehouse/imports/check-ins/columns.ts'
import { CheckInRowImport } from '@gatehouse/imports/check-ins/import.ts'
import { type DayOrder, dayOrders } from '@gatehouse/imports/check-ins/moments.ts'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { Command, Option } from 'commander'
import { BusEventSystem } from '../import/bus-event-system.ts'
import { type FileOptions, importFile, withFileOptions } from '../import/import-file.ts'
import { inSystem } from '../system.ts'
import { stoppable, type Terminal } from '../terminal.ts'

/** The options of `gatehouse import check-ins`. */
export interface ImportCheckInsOptions extends FileOptions {
  event: string
  point?: string
  at?: string
  dates?: DayOrder
}

/** `gatehouse import check-ins`. */
export function importCheckInsCommand(terminal: Terminal): Command {
  const command = new Command('check-ins')
    .description(
      'Import check-ins that were recorded elsewhere or on paper, by code, e-mail address or name. Running it again imports nothing twice',
    )
    .argument('<file>', 'CSV, .xlsx or .ods with a header row')
    .requiredOption('--event <id>', 'the event of the guests')
  return withFileOptions(withTimeOptions(command), targets.join(', ')).action(
    (file: string, options: ImportCheckInsOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => importCheckIns(file, options, bus, terminal))),
  )
}

/** Adds the options that say where and when rows happened that do not say so. */
export function withTimeOptions(command: Command): Command {
  return command
    .option('--point <name>', 'check-in point, by name or id, of rows without one')
    .option('--at <time>', 'time of check-ins without one')
    .addOption(new Option('--dates <order>', 'how 04/05/2026 is read').choices([...dayOrders]))
}

/** Imports a file. Returns the exit code: 0, 1 when rows were bad, 130 when it was stopped. */
export function importCheckIns(
  path: string,
  options: ImportCheckInsOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  return importFile(
    path,
    options,
    async () => CheckInRowImport.into(await BusEventSystem.open(bus, options.event), options),
    terminal,
  )
}
