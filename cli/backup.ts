import { resolve } from 'node:path'
import { backUp } from '@gatehouse/local/backup'
import { restore } from '@gatehouse/local/restore'
import { Command } from 'commander'
import { dataFolder, SECRETS_KEY_FILE } from './system.ts'
import { say, type Terminal } from './terminal.ts'

/** `gatehouse backup`: copies the database of the local stack while it runs. */
export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .description('Copy the database of the running local stack into a new folder that npm start can use')
    .argument('<folder>')
    .action(async (folder: string) => {
      refuseOwnStores(terminal)
      const log = (line: string): void => say(terminal.err, line)
      await backUp(resolve(dataFolder(terminal)), resolve(folder), [SECRETS_KEY_FILE], log)
      say(terminal.out, `${resolve(folder)} now has a copy of the database`)
    })
}

/** `gatehouse restore`: puts such a copy into the place of the local stack's data. */
export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .description('Put a backup in place of the data of the local stack, which is stopped; what was there is kept')
    .argument('<folder>')
    .action(async (folder: string) => {
      refuseOwnStores(terminal)
      const data = resolve(dataFolder(terminal))
      const aside = await restore(resolve(folder), data)
      say(terminal.out, `${data} is now as ${resolve(folder)}${aside ? `; what was there is in ${aside}` : ''}`)
    })
}

function refuseOwnStores({ env }: Terminal): void {
  if (env.MONGODB_URL)
    throw new Error('The database of MONGODB_URL is backed up and restored with its own tools (docs/operations.md)')
}
