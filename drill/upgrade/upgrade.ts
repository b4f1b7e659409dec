import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import type { SystemPlan } from '@gatehouse/test/load/system.ts'
import { serviceNames } from '../../services/services.ts'
import type { DrillClient } from '../client.ts'
import { now, timeOf } from '../record.ts'

/** The first processes of all come before the second ones: both versions of each then run side by side for as long as possible. */
const halvesOf = (names: string[]): string[][] => [1, 2].map((nth) => names.map((name) => `${name}-${nth}`))
const HALVES = halvesOf([...serviceNames, 'gateway'])
/** On Kubernetes nothing keeps gateways from being the first. */
const GATEWAYS_FIRST = halvesOf(['gateway', ...serviceNames])
const PROCESSES = HALVES.flat()
/** How often each process is replaced. */
const TIMES = 3

/** The system of a drill of upgrades: two processes of each kind. */
export const UPGRADED: SystemPlan = {
  processes: PROCESSES,
  settings: { GATEHOUSE_ALLOW_PRIVATE_HOOKS: '1' },
}

/** What the processes of a version have in their environment. */
const VERSIONS = {
  'the next version': { NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/next-version.ts`)}` },
  'the version before': {},
}
/** How long a version runs alone. */
const ALONE_MS = 3_000
/** How long half of the processes are of each version: longer than migrations wait after the start of a version. */
const HALF_MS = 75_000

interface Upgrading {
  client: DrillClient
  say: (line: string) => void
  /** Gets the share of the replacements that are done, from 0 to 1. */
  done(share: number): void
}

/**
 * Replaces all processes by the next version one by one, by the version before all at once, and by the next one again, now gateways first and with
 * a long pause after half of them. `between` is done while the next version runs alone for the first time.
 */
export async function upgrade({ client, say, done }: Upgrading, between: () => Promise<void>): Promise<void> {
  const { system, phase } = client
  let replaced = 0
  const replacing: Replacing = {
    phase,
    say,
    replace: async (name, version) => {
      await system.replace(name, VERSIONS[version])
      done(++replaced / (TIMES * PROCESSES.length))
    },
  }
  await alone(replacing)
  await oneByOne(replacing, 'the next version')
  await between()
  await allAtOnce(replacing, 'the version before')
  await oneByOne(replacing, 'the next version', GATEWAYS_FIRST, HALF_MS)
}

type Version = keyof typeof VERSIONS

interface Replacing extends Pick<Upgrading, 'say'> {
  phase: Phase
  replace(name: string, version: Version): Promise<void>
}

async function oneByOne(
  { phase, say, replace }: Replacing,
  version: Version,
  halves = HALVES,
  pauseMs = 0,
): Promise<void> {
  for (const [n, half] of halves.entries()) {
    const from = now()
    for (const name of half) {
      await replace(name, version)
      phase.signal.throwIfAborted()
    }
    say(`${timeOf(now())} one by one ${half.length} processes became ${version}, in ${timeOf(now() - from).trim()}`)
    if (n === 0) await sleep(pauseMs, undefined, { signal: phase.signal })
  }
  await alone({ phase })
}

async function allAtOnce({ phase, say, replace }: Replacing, version: Version): Promise<void> {
  const from = now()
  await Promise.all(PROCESSES.map((name) => replace(name, version)))
  say(`${timeOf(now())} all at once ${PROCESSES.length} processes became ${version}, in ${timeOf(now() - from).trim()}`)
  await alone({ phase })
}

/** A version runs alone for a while. */
async function alone({ phase }: Pick<Replacing, 'phase'>): Promise<void> {
  await sleep(ALONE_MS, undefined, { signal: phase.signal })
}
