import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { permissions } from './permissions.ts'
import type { Terminal } from './terminal.ts'

/** How long a command waits for NATS: on a machine that does much else, a server that is there may take seconds to be heard. */
const CONNECT_MS = 10_000

/** The folder that holds all local state: `GATEHOUSE_DATA`, or `.gatehouse` in the current folder. */
export function dataFolder({ env }: Terminal): string {
  return env.GATEHOUSE_DATA || '.gatehouse'
}

/** The file in the data folder that has the key of `gatehouse up`. */
export const SECRETS_KEY_FILE = 'secrets.key'

/** The content of `run.json` in the data folder, which `gatehouse up` writes for other commands. */
export interface RunFile {
  nats_url: string
  namespace: string
  base_url: string
  /** The secret of `/dev/mail`, if that shows e-mails. */
  mail_secret?: string | undefined
}

/** The path of `run.json`. */
export function runFile(terminal: Terminal): string {
  return join(dataFolder(terminal), 'run.json')
}

/** A running system. */
interface ConnectedSystem {
  bus: Bus
  /** The URL for HTTP clients. */
  baseUrl: string
  mailSecret: string | undefined
}

/**
 * Runs `work` with a connection to the system of `NATS_URL`, or to the one that `gatehouse up` runs here. Throws one sentence when there is none.
 */
export async function inSystem<T>(terminal: Terminal, work: (system: ConnectedSystem) => Promise<T>): Promise<T> {
  const { nats_url, namespace, base_url, mail_secret } = await findSystem(terminal)
  const bus = await connectBus({
    servers: nats_url,
    namespace,
    name: 'cli',
    log: makeLog('cli', 'silent'),
    permissions,
    connectTimeoutMs: CONNECT_MS,
  }).catch(({ message }: Error) => {
    throw new Error(`Gatehouse is not responding (${message}). Is it running? Start it with: npx gatehouse up`)
  })
  try {
    return await work({ bus, baseUrl: base_url, mailSecret: mail_secret })
  } finally {
    await bus.stop()
  }
}

async function findSystem(terminal: Terminal): Promise<RunFile> {
  const { NATS_URL, NAMESPACE, PUBLIC_URL, PORT } = terminal.env
  const running = await readRunFile(terminal)
  const nats_url = NATS_URL || running?.nats_url
  if (!nats_url) {
    throw new Error(
      `No running Gatehouse found in ${dataFolder(terminal)}. Start it with npx gatehouse up. If it is running, set GATEHOUSE_DATA to its data folder, or NATS_URL`,
    )
  }
  return {
    nats_url,
    namespace: NAMESPACE || running?.namespace || 'gatehouse',
    base_url: PUBLIC_URL || running?.base_url || `http://127.0.0.1:${PORT || 8080}`,
    mail_secret: running?.mail_secret,
  }
}

async function readRunFile(terminal: Terminal): Promise<RunFile | undefined> {
  try {
    return JSON.parse(await readFile(runFile(terminal), 'utf8')) as RunFile
  } catch {
    return undefined
  }
}
