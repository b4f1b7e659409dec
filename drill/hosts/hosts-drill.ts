import { type DoorsDrillOptions, runDoorsDrill } from '../doors-drill.ts'
import { HOSTS_INVARIANTS } from '../invariants.ts'
import type { DrillResult } from '../running.ts'
import { startHosts } from './host-system.ts'
import { hostKinds } from './injecting.ts'
import { HOSTS } from './placing.ts'

/** Starts the system on three hosts, injects faults of hosts under load, and compares its answers with what it stores; undefined when interrupted. */
export function runHostsDrill(options: DoorsDrillOptions): Promise<DrillResult | undefined> {
  return runDoorsDrill(
    {
      start: (phase) => startHosts(options.seed, options.say, phase),
      invariants: HOSTS_INVARIANTS,
      scanners: 4 * HOSTS.length,
      guestsPerSecond: 4,
      roundSeconds: 300,
      scanningMs: 600_000,
      // A host that comes back starts all its processes at once.
      recoveryMs: 60_000,
      givesUp: true,
      kindsOf: ({ client, chance }, drillEvent, details) => hostKinds(client, chance(), drillEvent, details),
    },
    options,
  )
}
