import { resolve } from 'node:path'
import { backUp } from '@gatehouse/local/backup'
import { Command } from 'commander'
import { dataFolder, SECRETS_KEY_FILE } from './system.ts'
import { say, type Terminal } from './terminal.ts'

/** `gatehouse backup`: copies the database of the local stack while it runs. */
export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .description(
      'Copy the database of the local stack, while it runs, into a new folder, with which npm start can start',
    )
    .argument('<folder>')
    .action(async (folder: string) => {
      if (terminal.env.MONGODB_URL)
        throw new Error('The database of MONGODB_URL is backed up with its own tools (docs/operations.md)')
      const log = (line: string): void => say(terminal.err, line)
      await backUp(resolve(dataFolder(terminal)), resolve(folder), [SECRETS_KEY_FILE], log)
      say(terminal.out, `${resolve(folder)} has the database as it was a moment ago`)
    })
}
