import { Command } from 'commander'
import { importEverythingCommand } from '../event-archive/import.ts'
import { importCheckInsCommand } from '../import-check-ins/command.ts'
import { importContactsCommand } from '../import-contacts/command.ts'
import { importGuestsCommand } from '../import-guests/command.ts'
import { importTicketsCommands } from '../import-tickets/command.ts'
import type { Terminal } from '../terminal.ts'

/** `gatehouse import`. */
export function importCommand(terminal: Terminal): Command {
  const command = new Command('import')
    .description('Import data from files')
    .addCommand(importGuestsCommand(terminal))
    .addCommand(importContactsCommand(terminal))
    .addCommand(importCheckInsCommand(terminal))
    .addCommand(importEverythingCommand(terminal))
  for (const system of importTicketsCommands(terminal)) command.addCommand(system)
  return command
}
