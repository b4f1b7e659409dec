import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { writePrivate } from './private-files.ts'

/** Below the range of outgoing connections, so that a stored port is still free after a restart. */
const LOWEST = 17_000
const HIGHEST = 32_000

/**
 * Gives each name a free port of the loopback interface: that of `file` unless it is taken by now. Stores the ports in `file`.
 */
export async function takePorts<Name extends string>(
  file: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const known = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Partial<Record<Name, number>>
  const ports = {} as Record<Name, number>
  for (const name of names) {
    const taken = Object.values<number>(ports)
    const port = known[name]
    ports[name] = port && !taken.includes(port) && (await isFree(port)) ? port : await freePort(taken)
  }
  await writePrivate(file, `${JSON.stringify(ports)}\n`)
  return ports
}

/** A free port of the loopback interface, which stays free if its server restarts. It is none of those which are `taken`. */
export async function freePort(taken: readonly number[] = []): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    if (!taken.includes(port) && (await isFree(port))) return port
  }
}

/** Whether a port of the loopback interface is free. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
