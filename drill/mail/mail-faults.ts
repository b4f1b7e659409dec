import { setTimeout as sleep } from 'node:timers/promises'
import { storesOf } from '@gatehouse/test/load/system.ts'
import { FaultInjector, type Injecting } from '../fault-injector.ts'
import { type FaultKind, killsAndPauses } from '../injected-faults.ts'
import type { FaultyMailServer } from './mail-server.ts'

/** The processes of the system in a drill with e-mails. */
export const PROCESSES = ['sso', 'guests', 'partners-1', 'partners-2', 'mail-1', 'mail-2', 'gateway-1', 'gateway-2']

/**
 * After a fault each gateway must accept an invitation, and its e-mail must leave, within this time: the job of a dead process is free after ten
 * seconds.
 */
const RECOVERY_MS = 30_000
const AWAY_MS = 3_000

type MailDrill = Pick<Injecting, 'client' | 'chance' | 'say' | 'injected'>

/** Makes the injector of a drill with e-mails. `invite` invites a recipient through a gateway; false without an answer. */
export function mailFaults(
  given: MailDrill,
  server: FaultyMailServer,
  invite: (address: string, gateway: number) => Promise<boolean>,
): FaultInjector {
  const ofServer = (what: string, inject: (signal: AbortSignal) => Promise<void>): FaultKind => {
    return { what, name: 'mail server', kills: false, inject: (_, signal) => inject(signal) }
  }
  const { record, phase } = given.client
  let probes = 0
  return new FaultInjector({
    ...given,
    recoveryMs: RECOVERY_MS,
    kinds: [
      ...killsAndPauses([...PROCESSES, ...storesOf({ processes: PROCESSES })]),
      ofServer('the mail server is away', (signal) => server.away(AWAY_MS, signal)),
      ofServer('the mail server is silent', (signal) => server.silent(AWAY_MS, signal)),
    ],
    probe: async (gateway) => {
      const address = `probe-${probes++}@example.org`
      const taken = server.untilTaken(address)
      if (!(await invite(address, gateway))) return false
      const late = sleep(RECOVERY_MS * record.slack, false, { signal: phase.signal, ref: false })
      return Promise.race([taken.then(() => true), late])
    },
  })
}
