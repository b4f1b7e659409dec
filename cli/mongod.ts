import { resolve } from 'node:path'
import { startStack } from '@gatehouse/local/stack'
import { Command } from 'commander'
import { untilInterrupted } from './interruption.ts'
import { dataFolder } from './system.ts'
import { say, type Terminal } from './terminal.ts'

/** `gatehouse mongod`: the MongoDB-protocol server of the local stack alone, with its PostgreSQL, until Ctrl-C. */
export function mongodCommand(terminal: Terminal): Command {
  return new Command('mongod')
    .description("Run Gatehouse's MongoDB-protocol server on DocumentDB/PostgreSQL alone; it is not MongoDB")
    .action(async () => {
      const interrupted = untilInterrupted()
      const log = (line: string): void => say(terminal.err, line)
      log("Gatehouse's MongoDB-protocol server on DocumentDB/PostgreSQL, not MongoDB")
      const stack = await startStack({ dataDir: resolve(dataFolder(terminal)), servers: ['mongodb'], log })
      say(terminal.out, stack.mongodbUrl)
      await interrupted
      await stack.stop()
    })
}
