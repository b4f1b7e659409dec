import { resolve } from 'node:path'
import { backUp } from '@gatehouse/local/backup'
import { Command } from 'commander'
import { dataFolder, SECRETS_KEY_FILE } from './system.ts'
import { say } from './terminal.ts'

/** `gatehouse backup`: copies the database of the local stack while it runs. */
export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'Copy the database of the local stack, while it runs, into a new folder, with which npm start can start',
    )
    .argument('<folder>')
    .action(async (folder: string) => {
      if (process.env.MONGODB_URL)
        throw new Error('The database of MONGODB_URL is backed up with its own tools (docs/operations.md)')
      const log = (line: string): void => say(process.stderr, line)
      await backUp(resolve(dataFolder()), resolve(folder), [SECRETS_KEY_FILE], log)
      say(process.stdout, `${resolve(folder)} has the database as it was a moment ago`)
    })
}
