import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { openAccount } from '@gatehouse/test/harness/account.ts'
import { apiOf } from '@gatehouse/test/harness/api.ts'
import { SECRETS_KEY } from '@gatehouse/test/harness/secrets-key.ts'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import { type RealSystem, type SystemPlan, startRealSystem } from '@gatehouse/test/load/system.ts'
import { all } from '@gatehouse/test/tables/rows.ts'
import { World } from '@gatehouse/test/tables/world.ts'
import { serviceNames } from '../services/services.ts'
import { feedbackSettings } from './feedback-cases.ts'
import { type Memory, memoryOf } from './memory.ts'

/** The user of NATS who may say anything. */
const ATTACKER = 'fuzz'
const GATEWAY = 'gateway-1'
const PROCESSES = [...serviceNames, GATEWAY]

/** Limits that would refuse most cases. */
const UNLIMITED = {
  API_TOKENS_PER_ACCOUNT: '100000',
  DEVICES_PER_ACCOUNT: '100000',
  WEBHOOKS_PER_ACCOUNT: '100000',
  TEST_SENDS_PER_HOUR: '100000',
  REGISTRATIONS_PER_ADDRESS: '100000',
  GATEHOUSE_ALLOW_PRIVATE_HOOKS: 'true',
}

/** A system of separate processes with one filled account. */
export interface FuzzedSystem {
  world: World
  url: string
  natsUrl: string
  namespace: string
  /** Processes that have ended and were started again. */
  restarted(): string[]
  memory(): Promise<Record<string, Memory>>
  stop(): Promise<void>
}

/** Starts a system with all services; `say` gets the errors that its processes log. */
export async function startFuzzedSystem(say: (line: string) => void, phase: Phase): Promise<FuzzedSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-fuzz-'))
  await mkdir(join(folder, 'mail'))
  const cast: SystemPlan = {
    processes: PROCESSES,
    natsUser: ATTACKER,
    settings: {
      ...UNLIMITED,
      ...feedbackSettings,
      SECRETS_KEY,
      MAIL_FOLDER: join(folder, 'mail'),
      FUZZ_MEMORY: folder,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'collected.ts'))}`,
    },
  }
  let system: RealSystem | undefined
  const stop = async (): Promise<void> => {
    await system?.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    system = await startRealSystem(cast, say, phase)
    const { gateways, natsUrlOf, namespace, pidOf, servedOf } = system
    const [url = ''] = gateways
    phase.waitFor('an account to be filled')
    return {
      world: await worldOf(url, natsUrlOf('cli'), namespace),
      url,
      natsUrl: natsUrlOf(ATTACKER),
      namespace,
      restarted: () => PROCESSES.filter((name) => servedOf(name) > 1),
      memory: () => memoryOf(Object.fromEntries(PROCESSES.map((name) => [name, pidOf(name)])), folder),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A world of a new account; the bus is that of the command line. */
async function worldOf(url: string, natsUrl: string, namespace: string): Promise<World> {
  const bus = await connectBus({ servers: natsUrl, namespace, name: 'cli', log: makeLog('', 'silent') })
  try {
    const account = (slug: string) => openAccount(bus, slug)
    const first = await account('first')
    const api = apiOf(url, first.auth_token)
    return await World.of({ ...first, url, namespace, bus, api, account, stop: () => bus.stop() }, all)
  } catch (error) {
    await bus.stop()
    throw error
  }
}
