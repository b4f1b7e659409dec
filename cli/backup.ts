import { resolve } from 'node:path'
import { backUp } from '@gatehouse/local/backup'
import { Command } from 'commander'
import { dataFolder, SECRETS_KEY_FILE } from './system.ts'
import { say, type Terminal } from './terminal.ts'

/** `gatehouse backup`: copies the database of the local stack while it runs. */
export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .description('Copy the database of the running local stack into a new folder that npm start can use')
    .argument('<folder>')
    .action(async (folder: string) => {
      if (terminal.env.MONGODB_URL)
        throw new Error('Back up the database of MONGODB_URL with its own tools (docs/operations.md)')
      const log = (line: string): void => say(terminal.err, line)
      await backUp(resolve(dataFolder(terminal)), resolve(folder), [SECRETS_KEY_FILE], log)
      say(terminal.out, `${resolve(folder)} now has a copy of the database`)
    })
}
