import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { Command } from 'commander'
import { type FileOptions, importFile, withFileOptions } from '../import/import-file.ts'
import { inSystem } from '../system.ts'
import { stoppable, type Terminal } from '../terminal.ts'
import { targets } from './headers.ts'
import { GuestRowImport } from './import.ts'

/** The options of `gatehouse import guests`. */
export interface ImportGuestsOptions extends FileOptions {
  event: string
  category?: string
  createCategories?: boolean
  skipRepeated?: boolean
}

/** `gatehouse import guests`. */
export function importGuestsCommand(terminal: Terminal): Command {
  const command = new Command('guests')
    .description(
      'Import guests from a CSV file or a workbook. Running it again continues where it stopped and imports nothing twice',
    )
    .argument('<file>', 'CSV, .xlsx or .ods with a header row')
    .requiredOption('--event <id>', 'the event they are invited to')
    .option('--category <name>', 'guest category, by name or id, for rows without one')
    .option('--create-categories', 'create guest categories the event does not have yet')
    .option('--skip-repeated', 'skip rows with the same name and e-mail address as an earlier row')
  return withFileOptions(command, `${targets.join(', ')} or metadata`).action(
    (file: string, options: ImportGuestsOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => importGuests(file, options, bus, terminal))),
  )
}

/** Imports a file. Returns the exit code: 0, 1 when rows were bad, 130 when it was stopped. */
export function importGuests(
  path: string,
  options: ImportGuestsOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  return importFile(path, options, () => GuestRowImport.into(bus, options), terminal)
}
