import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findServer } from '@gatehouse/local/packages'
import { reservePort } from '@gatehouse/local/ports'

/** A NATS server with a configuration of its own. */
export interface OwnNats {
  /** `127.0.0.1:port`. */
  host: string
  /** The address of its monitoring. */
  monitoring: string
  /** Has the server read another configuration, while clients stay connected. */
  reload(configuration: string): Promise<void>
  stop(): Promise<void>
}

/** The path of nats-server, of this machine or of the local stack; undefined if there is none. */
export const natsServer: string | undefined = findServer('nats')

/** Starts a NATS server with JetStream on a free port, and resolves when it is ready. `env` is its environment. */
export async function startNats(configuration: string, env: NodeJS.ProcessEnv = {}): Promise<OwnNats> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-nats-'))
  const [port, monitoringPort] = [await reservePort(), await reservePort()]
  const file = join(folder, 'nats.conf')
  const head = `listen: "127.0.0.1:${port}"\nhttp: "127.0.0.1:${monitoringPort}"\njetstream { store_dir: "${folder}" }\n`
  const write = (text: string): Promise<void> => writeFile(file, head + text, { mode: 0o600 })
  await write(configuration)
  const child = spawn(natsServer ?? '', ['-c', file], { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  const monitoring = `http://127.0.0.1:${monitoringPort}`
  for (let isReady = false; !isReady; await sleep(20)) {
    if (child.exitCode !== null) throw new Error(`nats-server refuses its configuration:\n${configuration}`)
    isReady = await fetch(`${monitoring}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  return {
    host: `127.0.0.1:${port}`,
    monitoring,
    reload: async (other) => {
      await write(other)
      child.kill('SIGHUP')
    },
    stop: async () => {
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
