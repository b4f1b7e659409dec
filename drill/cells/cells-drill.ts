import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import { changeOn, type Left } from '../changing.ts'
import { DrillClient } from '../client.ts'
import { compareCheckIns } from '../comparing.ts'
import { allLeft, compareWithRecount } from '../counting.ts'
import { type DrillEvent, makeDrillEvent } from '../drill-event.ts'
import { FaultInjector } from '../fault-injector.ts'
import { CELLS_INVARIANTS } from '../invariants.ts'
import { scanOn } from '../load.ts'
import { moveOn } from '../moving.ts'
import { now } from '../record.ts'
import { type DrillResult, type RunOptions, runPhasesOn } from '../running.ts'
import { send } from '../scanning.ts'
import { type CellsSystem, startCells } from './cells-system.ts'
import { Mover } from './moves.ts'

/** Devices at the doors, half of them at each gateway, unless another number is given. */
const DEVICES = 8
const GUESTS_PER_SECOND = 6
/** How long a round of all moves takes at least, so that new guests come all the time. */
const ROUND_SECONDS = 200
const RECOVERY_MS = 30_000
const SETTLING_MS = 10_000
const DEADLINES = { registering: 180_000, scanning: 900_000, comparing: 420_000 }

/** How to run a drill with two cells. */
export interface CellsDrillOptions extends RunOptions {
  /** How long the load lasts at least; it ends when each kind of move was made equally often. */
  seconds: number
  scanners?: number
}

/** Starts two cells, moves an account between them under load, and compares its answers with what is stored; undefined when interrupted. */
export function runCellsDrill(options: CellsDrillOptions): Promise<DrillResult | undefined> {
  const { seconds, say } = options
  return runPhasesOn(
    (phase) => startCells(say, phase),
    CELLS_INVARIANTS,
    options,
    async (system, { record, compared, details }, during) => {
      const clientIn = (phase: ConstructorParameters<typeof DrillClient>[2]) => new DrillClient(system, record, phase)
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

/** Runs load through both gateways until each kind of move was made; returns the guests that changers and movers leave. */
async function openDoors(
  client: DrillClient<CellsSystem>,
  drillEvent: DrillEvent,
  { seconds, scanners = DEVICES, seed, say }: CellsDrillOptions,
  details: string[],
): Promise<Left[]> {
  const { phase, record } = client
  const opened = now()
  const over = new AbortController()
  const closed = AbortSignal.any([phase.signal, over.signal])
  const passed = (): number => (now() - opened) / 1_000
  const progress = (): number => Math.min(1, passed() / Math.max(seconds, ROUND_SECONDS))
  let chances = 0
  const chance = (): Random => new Random(seed * 100 + chances++)
  const injector = new FaultInjector<CellsSystem>({
    ...{ client, chance: chance(), say },
    kinds: new Mover(client, chance(), details).kinds(),
    recoveryMs: RECOVERY_MS,
    probe: (gateway) => send(client, record.scan(drillEvent.probe, 'single'), undefined, gateway),
  })
  phase.waitFor(() => (closed.aborted ? 'the last move and scans to end' : 'each move to be made'))
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
