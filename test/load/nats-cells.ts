import type { SuperviseLog } from '@gatehouse/local/supervise'
import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import { linkPermissions, natsUsersOf } from '../../services/bus-users.ts'
import { type NatsServers, startNatsServers } from './nats-servers.ts'

/** The server to which those of all cells connect as leaf nodes. */
export const HUB = 'hub'

/** Starts a NATS server with JetStream for each cell, and a hub between them, on loopback. `more` is a further user of each cell, who may do everything there. */
export function startCellsNats(
  dataDir: string,
  cells: readonly string[],
  more: string,
  log: SuperviseLog,
): Promise<NatsServers> {
  return startNatsServers(
    dataDir,
    [...cells, HUB, 'leaves'],
    async ({ portOf, password, folderOf }) => {
      const headOf = (name: string): string => `server_name: "${name}"\nlisten: "127.0.0.1:${portOf(name)}"\n`
      const usersOf = (users: Record<string, ReturnType<typeof linkPermissions> | undefined>): string =>
        natsConfiguration(
          Object.entries(users).map(([name, permissions]) => ({ name, password: `"${password}"`, permissions })),
        )
      const othersOf = (cell: string): string[] => cells.filter((each) => each !== cell)
      const links = Object.fromEntries(cells.map((cell) => [cell, linkPermissions(cell, othersOf(cell))]))
      const hub = `${headOf(HUB)}${usersOf(links)}leafnodes { listen: "127.0.0.1:${portOf('leaves')}" }\n`
      const configurations = new Map([[HUB, hub]])
      for (const cell of cells)
        configurations.set(
          cell,
          `${headOf(cell)}jetstream { store_dir: "${await folderOf(cell)}", domain: "${cell}", max_memory_store: 64MB, max_file_store: 1GB }
${usersOf({ ...natsUsersOf(cell, othersOf(cell)), [more]: undefined })}
leafnodes { remotes: [ { url: "nats-leaf://${cell}:${password}@127.0.0.1:${portOf('leaves')}" } ], reconnect: "1s" }
`,
        )
      return configurations
    },
    log,
  )
}
