import { inject } from 'vitest'
import { mainOf } from '../../services/services.ts'
import { natsUrlOf } from './nats-urls.ts'
import { type Process, startProcess } from './process.ts'
import { SECRETS_KEY, type System } from './system.ts'

/** Starts another process of a service of a system, as in production. `settings` overrides the usual ones. */
export function startReplica(
  service: string,
  { namespace, url }: Pick<System, 'namespace' | 'url'>,
  settings: object = {},
): Promise<Process> {
  return startProcess(mainOf(service), {
    mongodb_url: inject('mongodbUrl'),
    nats_url: natsUrlOf(service),
    redis_url: inject('redisUrl'),
    namespace,
    secrets_key: SECRETS_KEY,
    public_url: url,
    // As in the system.
    deadline_ms: 30_000,
    ...settings,
  })
}
