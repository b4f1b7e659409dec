import type { StackPasswords } from './credentials.ts'
import { answers } from './probes.ts'
import type { StackSetup } from './servers.ts'
import { NO_USERS, redisUserLines, type StoreUsers } from './store-users.ts'
import { HERE } from './user.ts'

/** Starts redis-server with the stack's users. */
export async function startRedis({ options, packaged, ports, credentials, servers }: StackSetup): Promise<void> {
  const { storeUsers = NO_USERS, syncs = true, programs } = options
  const configuration = configurationOf(ports.redis, credentials, storeUsers, syncs)
  const program = programs?.redis ?? packaged?.redis
  await servers.start('redis', {
    ...(await servers.inDataDir('redis', program, [`${HERE}/redis.conf`], configuration)),
    // While Redis loads its files it accepts the password, but is not ready yet.
    ready: (signal) => answers(ports.redis, `AUTH ${credentials.redis}\r\nPING\r\n`, '+PONG', signal),
  })
}

/**
 * Appends are in the kernel after each command and, if it `syncs`, on disk within a second. With full memory Redis refuses writes instead of evicting keys. Hashes
 * of more than 64 fields are hash tables, so that batches that touch many fields stay cheap.
 */
function configurationOf(
  port: number,
  { redis, redisUsers }: StackPasswords,
  storeUsers: StoreUsers,
  syncs: boolean,
): string {
  return `bind 127.0.0.1
port ${port}
requirepass ${redis}
${redisUserLines(storeUsers, redisUsers).join('\n')}
dir redis
save ""
appendonly yes
appendfsync ${syncs ? 'everysec' : 'no'}
maxmemory-policy noeviction
hash-max-listpack-entries 64
loglevel warning
`
}
