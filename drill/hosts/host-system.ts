import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { openAccount } from '@gatehouse/test/harness/account.ts'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import { type DoorSystem, kindOf, NAMESPACE, processOf } from '@gatehouse/test/load/system.ts'
import { clockLibrary, HostClock } from './clock.ts'
import { DatabaseHost } from './database.ts'
import { GATEWAY_PORT, Host } from './host.ts'
import { HostNetwork } from './network.ts'
import { HOSTS, processesOn } from './placing.ts'
import { natsUrlOn, REDIS_URL, storesOn } from './stores.ts'

/** How the names of data folders begin; the process id follows. */
const FOLDERS = 'gatehouse-hosts-'

/** A system on three hosts, and a fourth for the database. */
export interface HostSystem extends DoorSystem {
  hosts: Host[]
  database: DatabaseHost
  network: HostNetwork
}

/** Starts the hosts and the system on them; `say` gets the errors that its processes log. Ends all if the phase is over before it is ready. */
export async function startHosts(seed: number, say: (line: string) => void, phase: Phase): Promise<HostSystem> {
  const { signal, waitFor } = phase
  await removeLeftovers()
  const dataDir = await mkdtemp(join(tmpdir(), `${FOLDERS}${process.pid}-`))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  const network = new HostNetwork()
  const hosts: Host[] = []
  const database = new DatabaseHost(join(dataDir, 'database'), say)
  let stopping: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await Promise.all([...hosts, database].map((host) => host.kill()))
    network.close()
  }
  const stop = (): Promise<void> => (stopping ??= end())
  const giveUp = (): void => void stop().catch(() => {})
  const served = new Map<string, number>()
  const serves = (name: string): void => void served.set(name, (served.get(name) ?? 0) + 1)
  try {
    signal.addEventListener('abort', giveUp)
    waitFor('the network of the hosts')
    await network.open(HOSTS.length, seed)
    waitFor('the database')
    const mongodbUrl = await database.start()
    const library = await clockLibrary(say)
    for (const node of HOSTS) {
      const stores = await storesOn(node, dataDir)
      const clock = new HostClock(join(dataDir, `host-${node}`, 'clock'), library)
      await clock.set(0)
      const processes = processesOn(node).map((name) => {
        const settings = {
          MONGODB_URL: mongodbUrl,
          REDIS_URL,
          NATS_URL: natsUrlOn(node, kindOf(name)),
          ...clock.env,
          STREAM_REPLICAS: String(HOSTS.length),
          ...(kindOf(name) === 'gateway' && { HOST: '0.0.0.0', PORT: String(GATEWAY_PORT) }),
        }
        return processOf(name, settings, serves, say)
      })
      hosts.push(new Host(node, network, { clock, stores, processes }))
    }
    signal.throwIfAborted()
    waitFor('NATS, Redis and the sentinels')
    await Promise.all(hosts.map((host) => host.startStores()))
    waitFor(() => `${HOSTS.flatMap(processesOn).filter((name) => !served.has(name))} to serve`)
    await Promise.all(hosts.map((host) => host.startProcesses()))
    waitFor('the first account')
    const config = { servers: natsUrlOn(1, 'cli'), namespace: NAMESPACE, name: 'cli', log: makeLog('', 'silent') }
    const bus = await connectBus(config)
    const account = await openAccount(bus, 'first').finally(() => bus.stop())
    signal.throwIfAborted()
    return {
      ...account,
      hosts,
      database,
      network,
      gateways: hosts.map(({ gateway }) => gateway),
      // A host serves when all its processes do.
      servedOf: (name) =>
        Math.min(
          ...(hosts.find(({ names }) => names.includes(name))?.names ?? []).map((each) => served.get(each) ?? 0),
        ),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** Removes what is left of runs that were killed: their folders. Their processes and networks ended with them. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [pid] = name.startsWith(FOLDERS) ? name.slice(FOLDERS.length).split('-') : []
    if (pid && !existsSync(`/proc/${pid}`)) await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}
