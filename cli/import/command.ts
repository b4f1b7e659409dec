import { Command } from 'commander'
import { importContactsCommand } from '../import-contacts/command.ts'
import { importGuestsCommand } from '../import-guests/command.ts'

/** `gatehouse import`. */
export function importCommand(): Command {
  return new Command('import')
    .description('Bring data in from files')
    .addCommand(importGuestsCommand())
    .addCommand(importContactsCommand())
}
