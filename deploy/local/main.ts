import { once } from 'node:events'
import { Command, runCommand } from '@gatehouse/proto/process/command.ts'
import { LocalStackError } from './failure.ts'
import { startStack } from './stack.ts'

// Runs the stores alone, in the foreground.

const command = new Command('node deploy/local/main.ts')
  .description('Run the local stack alone until Ctrl-C, and print its addresses, with their passwords')
  .option('--data <folder>', 'all its data and state (GATEHOUSE_DATA)', process.env.GATEHOUSE_DATA ?? '.gatehouse')
await runCommand(command)
const { data } = command.opts<{ data: string }>()

// Subscribed before the stores are announced: a reader of the line below may end them at once.
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())

const stack = await startStack({
  dataDir: data,
  log: (message, fields) => console.error(message, Object.keys(fields).length ? JSON.stringify(fields) : ''),
}).catch((error: unknown) => {
  if (!(error instanceof LocalStackError)) throw error
  console.error(error.message)
  process.exit(1)
})
console.log(JSON.stringify({ mongodb_url: stack.mongodbUrl, nats_url: stack.natsUrl, redis_url: stack.redisUrl }))

if (!interruption.signal.aborted) await once(interruption.signal, 'abort')
await stack.stop()
process.exit(0)
