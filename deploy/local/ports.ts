import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { writePrivate } from './private-files.ts'

/** Above the ports that `fetch` refuses, and below the range of outgoing connections, so that a stored port is still free after a restart. */
const LOWEST = 10_100
const HIGHEST = 32_000

/** Ports by name, reserved until they are released. */
interface Ports<Name extends string> {
  ports: Record<Name, number>
  release(): Promise<void>
}

/** Reserves a port for each name: that of `file` unless it is taken by now. Stores the ports in `file`. */
export async function takePorts<Name extends string>(file: string, names: readonly Name[]): Promise<Ports<Name>> {
  const known = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Partial<Record<Name, number>>
  const ports = {} as Record<Name, number>
  for (const name of names) {
    const port = known[name]
    ports[name] = port && (await reserve(port)) ? port : await reservePort()
  }
  await writePrivate(file, `${JSON.stringify(ports)}\n`)
  const release = async (): Promise<void> => {
    await Promise.all(Object.values<number>(ports).map(releasePort))
  }
  return { ports, release }
}

/**
 * Reserves a free port of the loopback interface, for servers that can't ask the kernel for one: they must be told it beforehand, or have it again
 * after a restart. It is this process's until its end, or until it is released.
 */
export async function reservePort(): Promise<number> {
  for (;;) {
    const port = 2 * randomInt(LOWEST / 2, HIGHEST / 2)
    if (await reserve(port)) return port
  }
}

/** By port: whoever listens at the next one has it. The kernel lets one process listen there, and ends that with the process. */
const holders = new Map<number, Server>()

/** Tries to reserve a port, which must be even; returns whether it is this caller’s now. */
async function reserve(port: number): Promise<boolean> {
  if (port % 2 !== 0) return false
  const holder = await listeningAt(port + 1)
  if (!holder) return false
  // Other programs reserve nothing.
  const trial = await listeningAt(port)
  await closed(trial)
  if (!trial) await closed(holder)
  else holders.set(port, holder.unref())
  return trial !== undefined
}

async function releasePort(port: number): Promise<void> {
  const holder = holders.get(port)
  holders.delete(port)
  await closed(holder)
}

/** A server at a port of the loopback interface; undefined if another one has it. */
async function listeningAt(port: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}

async function closed(server: Server | undefined): Promise<void> {
  if (!server) return
  const end = once(server, 'close')
  server.close()
  await end
}
