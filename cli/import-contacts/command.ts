import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { targets } from '@gatehouse/sso/contact-columns'
import { Command } from 'commander'
import { type FileOptions, importFile, withFileOptions } from '../import/import-file.ts'
import { inSystem } from '../system.ts'
import { stoppable, type Terminal } from '../terminal.ts'
import { ContactRowImport } from './import.ts'

/** The options of `gatehouse import contacts`. */
export interface ImportContactsOptions extends FileOptions {
  account: string
  createFields?: boolean
}

/** `gatehouse import contacts`. */
export function importContactsCommand(terminal: Terminal): Command {
  const command = new Command('contacts')
    .description(
      'Import contacts from a CSV file or a workbook. Contacts with the same e-mail address stay as they are',
    )
    .argument('<file>', 'CSV, .xlsx or .ods with a header row')
    .requiredOption('--account <slug>', 'the account to import the contacts into')
    .option('--create-fields', 'create a contact field for each unknown column')
  return withFileOptions(command, `${targets.join(', ')} or the key of a contact field`).action(
    (file: string, options: ImportContactsOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => importContacts(file, options, bus, terminal))),
  )
}

/** Imports a file. Returns the exit code: 0, 1 when rows were bad, 130 when it was stopped. */
export function importContacts(
  path: string,
  options: ImportContactsOptions,
  bus: Bus,
  terminal: Terminal,
): Promise<number> {
  return importFile(path, options, () => ContactRowImport.into(bus, options), terminal)
}
