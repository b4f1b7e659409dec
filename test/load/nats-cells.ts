import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findServer } from '@gatehouse/local/packages'
import { takePorts } from '@gatehouse/local/ports'
import { ownFolder, writePrivate } from '@gatehouse/local/private-files'
import { type Supervised, type SuperviseLog, supervise } from '@gatehouse/local/supervise'
import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import { linkPermissions, natsUsersOf } from '../../services/bus-users.ts'

/** The NATS servers of several cells, and the one between them. */
export interface CellsNats {
  urlOf(cell: string, user: string): string
  pidOf(name: string): number | undefined
  stop(): Promise<void>
}

/** The server to which those of all cells connect as leaf nodes. */
export const HUB = 'hub'

/** Starts a NATS server with JetStream for each cell, and a hub between them, on loopback. `more` is a further user of each cell, who may do everything there. */
export async function startCellsNats(
  dataDir: string,
  cells: readonly string[],
  more: string,
  log: SuperviseLog,
): Promise<CellsNats> {
  const command = findServer('nats')
  if (!command) throw new Error('there is no nats-server: npm start fetches it')
  const names = [...cells, HUB, 'leaves']
  const { ports, release } = await takePorts(join(dataDir, 'cells-ports.json'), names)
  const portOf = (name: string): number => (ports as Record<string, number>)[name] as number
  const password = randomBytes(16).toString('hex')
  const servers = new Map<string, Supervised>()
  const start = async (name: string, configuration: string): Promise<void> => {
    const file = join(dataDir, `${name}.conf`)
    await writePrivate(file, `server_name: "${name}"\nlisten: "127.0.0.1:${portOf(name)}"\n${configuration}`)
    servers.set(name, supervise({ name, command, args: ['-c', file], log, readyLine: 'Server is ready' }))
  }
  const othersOf = (cell: string): string[] => cells.filter((each) => each !== cell)
  const usersOf = (users: Record<string, ReturnType<typeof linkPermissions> | undefined>): string =>
    natsConfiguration(
      Object.entries(users).map(([name, permissions]) => ({ name, password: `"${password}"`, permissions })),
    )
  const links = Object.fromEntries(cells.map((cell) => [cell, linkPermissions(cell, othersOf(cell))]))
  await start(HUB, `${usersOf(links)}leafnodes { listen: "127.0.0.1:${portOf('leaves')}" }\n`)
  for (const cell of cells) {
    const folder = join(dataDir, `nats-${cell}`)
    await ownFolder(folder)
    await start(
      cell,
      `jetstream { store_dir: "${folder}", domain: "${cell}", max_memory_store: 64MB, max_file_store: 1GB }
${usersOf({ ...natsUsersOf(cell, othersOf(cell)), [more]: undefined })}
leafnodes { remotes: [ { url: "nats-leaf://${cell}:${password}@127.0.0.1:${portOf('leaves')}" } ], reconnect: "1s" }
`,
    )
  }
  const stop = async (): Promise<void> => {
    await Promise.all([...servers.values()].map((server) => server.stop()))
    await release()
  }
  try {
    await Promise.all([...servers.values()].map(({ ready }) => ready))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    urlOf: (cell, user) => `nats://${user}:${password}@127.0.0.1:${portOf(cell)}`,
    pidOf: (name) => servers.get(name)?.pid,
    stop,
  }
}
