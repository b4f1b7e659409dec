import { type NatsUser, natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import { answers } from './probes.ts'
import type { StackSetup } from './servers.ts'
import { EVERYTHING } from './stack-options.ts'

/** Starts nats-server with the stack's users. */
export async function startNats({ options, packaged, ports, credentials, servers }: StackSetup): Promise<void> {
  const { natsUsers = EVERYTHING, syncs = true, programs } = options
  const users = Object.entries(natsUsers).map(([name, permissions]) => {
    return { name, password: `"${credentials.nats[name]}"`, permissions }
  })
  const program = programs?.nats ?? packaged?.nats
  await servers.start('nats', {
    ...(await servers.inDataDir('nats', program, ['-c', 'nats.conf'], configurationOf(ports.nats, users, syncs))),
    ready: (signal) => answers(ports.nats, '', 'INFO', signal),
  })
}

function configurationOf(port: number, users: readonly NatsUser[], syncs: boolean): string {
  return `listen: "127.0.0.1:${port}"
jetstream { store_dir: "nats", max_memory_store: 64MB, max_file_store: 4GB, sync_interval: "${syncs ? '1s' : '1h'}" }
${natsConfiguration(users)}`
}
