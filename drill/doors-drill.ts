import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import type { DoorSystem } from '@gatehouse/test/load/system.ts'
import { changeOn, type Left } from './changing.ts'
import { DrillClient } from './client.ts'
import { compareCheckIns } from './comparing.ts'
import { allLeft, compareWithRecount } from './counting.ts'
import { type DrillEvent, makeDrillEvent } from './drill-event.ts'
import { FaultInjector, type Injecting } from './fault-injector.ts'
import type { Invariants } from './invariants.ts'
import { scanOn } from './load.ts'
import { moveOn } from './moving.ts'
import { now } from './record.ts'
import { type DrillResult, type RunOptions, runPhasesOn } from './running.ts'
import { send } from './scanning.ts'

const SETTLING_MS = 10_000
const DEADLINES = { registering: 180_000, comparing: 420_000 }

/** How to run a drill of doors. */
export interface DoorsDrillOptions extends RunOptions {
  /** How long the load lasts at least; it ends when each kind of fault was there equally often. */
  seconds: number
  /** Devices in all. */
  scanners?: number
}

/** A drill of a system to which doors are open at several gateways, while it suffers faults of its own. */
export interface DoorsDrill<System extends DoorSystem> {
  start(phase: Phase): Promise<System>
  invariants: Invariants
  /** Devices in all, unless another number is given. */
  scanners: number
  guestsPerSecond: number
  /** How long a round of all faults takes at least, so that new guests come all the time. */
  roundSeconds: number
  scanningMs: number
  /** After a fault the system must serve again within this time. */
  recoveryMs: number
  /** Whether a device gives up when an answer is late. */
  givesUp?: true
  /** The faults; lines in `details` are further ones of the report. */
  kindsOf(
    given: Pick<Injecting<System>, 'client' | 'say'> & { chance: () => Random },
    drillEvent: DrillEvent,
    details: string[],
  ): Injecting<System>['kinds']
}

/** Opens the doors, lets the faults happen, and compares the answers with what is stored; undefined when interrupted. */
export function runDoorsDrill<System extends DoorSystem>(
  drill: DoorsDrill<System>,
  options: DoorsDrillOptions,
): Promise<DrillResult | undefined> {
  const { seconds, say } = options
  const { start, invariants, givesUp = false, roundSeconds, guestsPerSecond, scanningMs } = drill
  return runPhasesOn(start, invariants, options, async (system, { record, compared, details }, during) => {
    const clientIn = (phase: Phase) => new DrillClient(system, record, phase, 0, { givesUp })
    const drillEvent = await during('registering', DEADLINES.registering, (phase) =>
      makeDrillEvent(clientIn(phase), Math.max(seconds, roundSeconds) * guestsPerSecond),
    )
    say(`${drillEvent.uids.length} guests are registered; the doors open`)
    const left = await during(
      'scanning',
      scanningMs,
      (phase) => openDoors(drill, clientIn(phase), drillEvent, options, details),
      seconds * 1_000,
    )
    await during('comparing', DEADLINES.comparing, async (phase) => {
      phase.waitFor('what was sent last to come to its end')
      await sleep(SETTLING_MS, undefined, { signal: phase.signal })
      const client = clientIn(phase)
      const checkIns = await compareCheckIns(client, compared)
      compared.push(await compareWithRecount(client, checkIns, allLeft(drillEvent, left)))
    })
  })
}

/** Runs load at all gateways until the time is over and each fault was there equally often; returns the guests that changers and movers leave. */
async function openDoors<System extends DoorSystem>(
  drill: DoorsDrill<System>,
  client: DrillClient<System>,
  drillEvent: DrillEvent,
  { seconds, scanners = drill.scanners, seed, say }: DoorsDrillOptions,
  details: string[],
): Promise<Left[]> {
  const { phase, record } = client
  const opened = now()
  const over = new AbortController()
  const closed = AbortSignal.any([phase.signal, over.signal])
  const passed = (): number => (now() - opened) / 1_000
  const progress = (): number => Math.min(1, passed() / Math.max(seconds, drill.roundSeconds))
  let chances = 0
  const chance = (): Random => new Random(seed * 100 + chances++)
  const injector = new FaultInjector<System>({
    ...{ client, chance: chance(), say },
    kinds: drill.kindsOf({ client, say, chance }, drillEvent, details),
    recoveryMs: drill.recoveryMs,
    probe: (gateway) => send(client, record.scan(drillEvent.probe, 'single'), undefined, gateway),
  })
  phase.waitFor(() => (closed.aborted ? 'the last fault and scans to end' : 'each fault to be injected'))
  const [left] = await Promise.all([
    Promise.all(
      client.system.gateways.flatMap((_, n) => [
        changeOn(client.at(n), `changing-${n}`, chance(), closed),
        moveOn(client.at(n), `moving-${n}`, chance(), closed),
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
