import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { StoreCounters } from './report.ts'
import { trafficOf } from './usage.ts'

/** Commands that the counting itself sends to Redis. */
const OWN_COMMANDS = ['auth', 'info', 'quit']

/** Counts the operations of NATS and Redis from now on. The returned function gives them for each 1,000 requests. */
export async function startCounting(
  redisUrl: string,
  pids: Record<string, number>,
): Promise<(requests: number) => Promise<StoreCounters>> {
  const between = Object.fromEntries(['nats', 'redis'].map((name) => [name, pids[name] as number]))
  const [traffic, commands] = [trafficOf(between), await redisCommands(redisUrl)]
  return async (requests) => {
    const share = 1_000 / requests
    const moved = Object.entries(trafficOf(between)).map(([name, now]) => {
      const then = traffic[name] ?? { reads: 0, writes: 0, kibibytes: 0 }
      const since = {
        reads: (now.reads - then.reads) * share,
        writes: (now.writes - then.writes) * share,
        kibibytes: (now.kibibytes - then.kibibytes) * share,
      }
      return [name, since] as const
    })
    const redis = Object.entries(await redisCommands(redisUrl))
      .map(([command, calls]) => [command, (calls - (commands[command] ?? 0)) * share] as const)
      .filter(([command, calls]) => calls > 0 && !OWN_COMMANDS.includes(command))
    return { traffic: Object.fromEntries(moved), redis: Object.fromEntries(redis) }
  }
}

/** Redis's count of its commands since it started, by name. */
async function redisCommands(url: string): Promise<Record<string, number>> {
  const { hostname, port, password } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  // Redis without a password refuses AUTH and goes on.
  socket.end(`AUTH ${password}\r\nINFO commandstats\r\nQUIT\r\n`)
  const matches = (await text(socket)).matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)
  return Object.fromEntries([...matches].map(([, command, calls]) => [command as string, Number(calls)]))
}
