import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findServer } from '@gatehouse/local/packages'
import { takePorts } from '@gatehouse/local/ports'
import { ownFolder, writePrivate } from '@gatehouse/local/private-files'
import { type Supervised, type SuperviseLog, supervise } from '@gatehouse/local/supervise'

/** Several NATS servers on loopback. */
export interface NatsServers {
  /** The address of a server for a user. */
  urlOf(name: string, user: string): string
  /** The current process of a server. */
  pidOf(name: string): number | undefined
  stop(): Promise<void>
}

/** What the configuration of a server is made of. */
export interface NatsPlaces {
  /** A port of loopback that is kept for this name. */
  portOf(name: string): number
  /** That of all users. */
  password: string
  /** Makes a folder of a server in the data folder, and returns its path. */
  folderOf(name: string): Promise<string>
}

/** Starts NATS servers, whose configurations `configure` returns by name, and keeps them running. `names` are those of the ports that they need. */
export async function startNatsServers(
  dataDir: string,
  names: readonly string[],
  configure: (places: NatsPlaces) => Promise<Map<string, string>>,
  log: SuperviseLog,
): Promise<NatsServers> {
  const command = findServer('nats')
  if (!command) throw new Error('there is no nats-server: npm start fetches it')
  const { ports, release } = await takePorts(join(dataDir, 'nats-ports.json'), names)
  const portOf = (name: string): number => (ports as Record<string, number>)[name] as number
  const password = randomBytes(16).toString('hex')
  const folderOf = async (name: string): Promise<string> => {
    const folder = join(dataDir, name)
    await ownFolder(folder)
    return folder
  }
  const servers = new Map<string, Supervised>()
  const stop = async (): Promise<void> => {
    await Promise.all(servers.values().map((server) => server.stop()))
    await release()
  }
  try {
    for (const [name, configuration] of await configure({ portOf, password, folderOf })) {
      const file = join(dataDir, `${name}.conf`)
      await writePrivate(file, configuration)
      servers.set(name, supervise({ name, command, args: ['-c', file], log, readyLine: 'Server is ready' }))
    }
    await Promise.all(servers.values().map(({ ready }) => ready))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    urlOf: (name, user) => `nats://${user}:${password}@127.0.0.1:${portOf(name)}`,
    pidOf: (name) => servers.get(name)?.pid,
    stop,
  }
}
