import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { DrillClient } from '../client.ts'
import type { DrillEvent } from '../drill-event.ts'
import type { FaultKind } from '../injected-faults.ts'
import { now } from '../record.ts'
import { type HostFault, hostFaultsOf } from './host-faults.ts'
import type { HostSystem } from './host-system.ts'
import { HOSTS } from './placing.ts'
import { describeWatched, watch } from './watching.ts'

/** How long a fault lasts: longer than NATS and the sentinels need to notice it. */
const FAULT_MS = 25_000
/** On the larger side no door waits longer for an answer that lets a guest in. */
const LARGER_MS = 15_000

/** The faults of hosts; `details` gets what each side answered. */
export function hostKinds(
  client: DrillClient<HostSystem>,
  chance: Random,
  drillEvent: DrillEvent,
  details: string[],
): FaultKind<HostSystem>[] {
  return hostFaultsOf(chance).map((fault) => kindOf(fault, client, drillEvent, details))
}

function kindOf(
  { what, killed, smaller, begin, end }: HostFault,
  client: DrillClient<HostSystem>,
  drillEvent: DrillEvent,
  details: string[],
): FaultKind<HostSystem> {
  const { record } = client
  return {
    what,
    name: killed === undefined ? what : `gateway-${killed}`,
    kills: killed !== undefined,
    inject: async (system, signal) => {
      const begun = now()
      const over = new AbortController()
      try {
        await begin(system)
        const watching = HOSTS.map((host) =>
          watch(client, drillEvent, host - 1, AbortSignal.any([signal, over.signal])),
        )
        // The end of the phase ends them all, and is thrown below.
        for (const each of watching) each.catch(() => {})
        await sleep(FAULT_MS, undefined, { signal })
        over.abort()
        details.push(`${what} for ${FAULT_MS / 1_000} s, at ${Math.round(begun)} ms`)
        for (const [index, watched] of (await Promise.all(watching)).entries()) {
          const isSmaller = smaller.includes(HOSTS[index] as number)
          const line = `  doors at host-${HOSTS[index]}${isSmaller ? ' (smaller side)' : ''}: ${describeWatched(watched)}`
          details.push(line)
          if (!isSmaller && watched.longest > LARGER_MS * record.slack)
            record.violation('larger', 'doors on the larger side stand still', [what, line])
        }
      } finally {
        over.abort()
        await end(system)
      }
    },
  }
}
