import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import { changeOn, type Left } from '../changing.ts'
import { DrillClient } from '../client.ts'
import { compareCheckIns } from '../comparing.ts'
import { allLeft, compareWithRecount } from '../counting.ts'
import { type DrillEvent, makeDrillEvent } from '../drill-event.ts'
import { HOSTS_INVARIANTS } from '../invariants.ts'
import { scanOn } from '../load.ts'
import { moveOn } from '../moving.ts'
import { now } from '../record.ts'
import { type DrillResult, type RunOptions, runPhasesOn } from '../running.ts'
import { type HostSystem, startHosts } from './host-system.ts'
import { hostInjector } from './injecting.ts'
import { HOSTS } from './placing.ts'

/** Devices at the doors of each host, unless another number is given. */
const DEVICES = 4
const GUESTS_PER_SECOND = 4
/** How long a round of all faults takes at least, so that new guests come all the time. */
const ROUND_SECONDS = 300
const SETTLING_MS = 10_000
const DEADLINES = { registering: 180_000, scanning: 600_000, comparing: 420_000 }

/** How to run a drill on hosts. */
export interface HostsDrillOptions extends RunOptions {
  /** How long the load lasts at least; it ends when each fault was there equally often. */
  seconds: number
  /** Devices in all. */
  scanners?: number
}

/** Starts the system on three hosts, injects faults of hosts under load, and compares its answers with what it stores; undefined when interrupted. */
export function runHostsDrill(options: HostsDrillOptions): Promise<DrillResult | undefined> {
  const { seconds, seed, say } = options
  return runPhasesOn(
    (phase) => startHosts(seed, say, phase),
    HOSTS_INVARIANTS,
    options,
    async (system, { record, compared, details }, during) => {
      const clientIn = (phase: ConstructorParameters<typeof DrillClient>[2]) =>
        new DrillClient(system, record, phase, 0, { givesUp: true })
      const drillEvent = await during('registering', DEADLINES.registering, (phase) =>
        makeDrillEvent(clientIn(phase), Math.max(seconds, ROUND_SECONDS) * GUESTS_PER_SECOND),
      )
      say(`${drillEvent.uids.length} guests are registered; the doors open`)
      const left = await during(
        'scanning',
        DEADLINES.scanning,
        (phase) => openDoors(clientIn(phase), drillEvent, options, details),
        seconds * 1_000,
      )
      await during('comparing', DEADLINES.comparing, async (phase) => {
        phase.waitFor('what was sent last to come to its end')
        await sleep(SETTLING_MS, undefined, { signal: phase.signal })
        const client = clientIn(phase)
        const checkIns = await compareCheckIns(client, compared)
        compared.push(await compareWithRecount(client, checkIns, allLeft(drillEvent, left)))
      })
    },
  )
}

/** Runs load at the doors of each host until the time is over and each fault was there equally often; returns the guests that changers and movers leave. */
async function openDoors(
  client: DrillClient<HostSystem>,
  drillEvent: DrillEvent,
  { seconds, scanners = DEVICES * HOSTS.length, seed, say }: HostsDrillOptions,
  details: string[],
): Promise<Left[]> {
  const { phase } = client
  const opened = now()
  const over = new AbortController()
  const closed = AbortSignal.any([phase.signal, over.signal])
  const passed = (): number => (now() - opened) / 1_000
  const progress = (): number => Math.min(1, passed() / Math.max(seconds, ROUND_SECONDS))
  let chances = 0
  const chance = (): Random => new Random(seed * 100 + chances++)
  const injector = hostInjector({ client, chance: chance(), say }, drillEvent, details)
  phase.waitFor(() => (closed.aborted ? 'the last fault and scans to end' : 'each fault to be injected'))
  const [left] = await Promise.all([
    Promise.all(
      HOSTS.flatMap((host) => [
        changeOn(client.at(host - 1), `changing-${host}`, chance(), closed),
        moveOn(client.at(host - 1), `moving-${host}`, chance(), closed),
      ]),
    ),
    injector.injectUntil(closed, () => {
      if (passed() >= seconds) over.abort()
    }),
    ...Array.from({ length: scanners }, (_, n) => scanOn(client.at(n), drillEvent, chance(), progress, closed)),
  ])
  say('the doors are closed, all is compared')
  return left
}
