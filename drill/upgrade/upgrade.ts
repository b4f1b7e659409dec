import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Phase } from '../phases.ts'
import { now } from '../record.ts'
import { type Cast, type DrillSystem, STORES } from '../system.ts'

const SERVICES = ['sso', 'guests', 'checkin', 'promo', 'partners', 'leads', 'badges', 'hooks', 'mail']
/** The first processes of all come before the second ones: both versions of each then run side by side for as long as possible. */
const PROCESSES = [1, 2].flatMap((nth) => [...SERVICES, 'gateway'].map((name) => `${name}-${nth}`))

/** The system of a drill of upgrades: two processes of each kind. */
export const UPGRADED: Cast = {
  processes: PROCESSES,
  stores: STORES,
  settings: { GATEHOUSE_ALLOW_PRIVATE_HOOKS: '1' },
}

/** What the processes of a version have in their environment. */
const VERSIONS = {
  'the next version': { NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/next-version.ts`)}` },
  'the version before': {},
}
/** How long a version runs alone. */
const ALONE_MS = 3_000

interface Upgrading {
  system: DrillSystem
  phase: Phase
  say: (line: string) => void
}

/**
 * Replaces all processes by the next version one by one, then by the version before, and by the next one all at once. `between` is done while
 * the next version runs alone for the first time.
 */
export async function upgrade(upgrading: Upgrading, between: () => Promise<void>): Promise<void> {
  await alone(upgrading)
  await oneByOne(upgrading, 'the next version')
  await between()
  await oneByOne(upgrading, 'the version before')
  await allAtOnce(upgrading, 'the next version')
}

async function oneByOne({ system, phase, say }: Upgrading, version: keyof typeof VERSIONS): Promise<void> {
  const from = now()
  for (const name of PROCESSES) {
    await system.replace(name, VERSIONS[version])
    phase.signal.throwIfAborted()
  }
  say(`${seconds(now())} one by one all ${PROCESSES.length} processes became ${version}, in ${seconds(now() - from)}`)
  await alone({ phase })
}

async function allAtOnce({ system, phase, say }: Upgrading, version: keyof typeof VERSIONS): Promise<void> {
  const from = now()
  await Promise.all(PROCESSES.map((name) => system.replace(name, VERSIONS[version])))
  say(`${seconds(now())} all at once they became ${version}, in ${seconds(now() - from)}`)
  await alone({ phase })
}

/** A version runs alone for a while. */
async function alone({ phase }: Pick<Upgrading, 'phase'>): Promise<void> {
  await sleep(ALONE_MS, undefined, { signal: phase.signal })
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
