import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import { changeOn, type Left } from './changing.ts'
import { Client } from './client.ts'
import { compareDelivered, receiveCheckIns } from './cluster/webhook.ts'
import { compareCheckIns } from './comparing.ts'
import { compareWithRecount } from './counting.ts'
import { CLUSTERED_DOORS, DOORS, doorFaults } from './door-faults.ts'
import { type DrillEvent, makeDrillEvent } from './drill-event.ts'
import { Gate } from './gate.ts'
import { scanOn } from './load.ts'
import type { Phase } from './phases.ts'
import { now, Record } from './record.ts'
import {
  assignSeats,
  compareUpgraded,
  compareUses,
  openRegistry,
  type Registry,
  registerGuests,
} from './registering.ts'
import { type Outcome, type RunOptions, runPhases } from './running.ts'
import type { Cast, DrillSystem } from './system.ts'
import { UPGRADED, upgrade } from './upgrade/upgrade.ts'

/** Devices at the doors, unless another number is given. */
export const SCANNERS = 28
const CHANGERS = 4
const GUESTS_PER_SECOND = 25
const MAX_GUESTS = 5_000
/** The last requests, and tries still pending in a process, end within this time. */
const SETTLING_MS = 10_000

/** The deadline of each phase in ms; that of scanning is added to the time of the load. */
const DEADLINES = {
  registering: 180_000,
  scanning: 240_000,
  comparing: 240_000,
}

/** How long all upgrades may take beyond it. */
const UPGRADING_MS = 300_000

/** How to run a drill. */
export interface DrillOptions extends RunOptions {
  /** How long the load lasts. */
  seconds: number
  scanners?: number
  /** Runs it on a cluster of NATS servers. */
  cluster?: boolean
  /** Replaces all processes by another version instead of injecting faults. */
  upgrades?: boolean
  /** Prolongs the load until every kind of fault was injected. */
  wholeRound?: boolean
  /** Replaces deadlines, in ms. */
  deadlines?: Partial<typeof DEADLINES>
}

/** Starts the real system, injects faults under load, and compares its answers with what it stores; undefined when interrupted. */
export async function runDrill(options: DrillOptions): Promise<Outcome | undefined> {
  return runPhases(castOf(options), new Record(options.slack), options, (system, outcome, during) =>
    drill(system, options, outcome, (name, work) => during(name, deadlineOf(name, options), work)),
  )
}

function castOf({ cluster = false, upgrades = false }: DrillOptions): Cast {
  if (upgrades) return UPGRADED
  return cluster ? CLUSTERED_DOORS : DOORS
}

type Name = keyof typeof DEADLINES

function deadlineOf(name: Name, { slack, seconds, upgrades, deadlines }: DrillOptions): number {
  const beyond = name === 'scanning' ? seconds * 1_000 + (upgrades ? UPGRADING_MS * slack : 0) : 0
  return beyond + (deadlines?.[name] ?? DEADLINES[name] * slack)
}

async function drill(
  system: DrillSystem,
  options: DrillOptions,
  { record, compared }: Outcome,
  during: <T>(name: Name, work: (phase: Phase) => Promise<T>) => Promise<T>,
): Promise<void> {
  const { seconds, say, cluster, upgrades } = options
  const guestCount = Math.min(MAX_GUESTS, Math.ceil(seconds * GUESTS_PER_SECOND) + 50)
  const drillEvent = await during('registering', (phase) =>
    makeDrillEvent(new Client(system, record, phase), system.account_id, guestCount, phase),
  )
  /** Whether all services run, rather than those of the doors. */
  const hasAll = cluster || upgrades
  const registry = hasAll
    ? await during('registering', (phase) => openRegistry(new Client(system, record, phase)))
    : undefined
  const receiver = hasAll
    ? await during('registering', (phase) => receiveCheckIns(new Client(system, record, phase)))
    : undefined
  say(`${guestCount} guests are registered, and a crowd of ${drillEvent.queueUids.length}; the doors open`)
  const left = await during('scanning', (phase) => openDoors(system, record, drillEvent, registry, options, phase))
  await during('comparing', async (phase) => {
    phase.waitFor('what was sent last to come to its end')
    await sleep(SETTLING_MS, undefined, { signal: phase.signal })
    const client = new Client(system, record, phase)
    const all = await compareCheckIns(client, record, compared, phase)
    if (receiver) compared.push(await compareDelivered(record, all, receiver, phase))
    if (registry && upgrades) compared.push(await compareUpgraded(client, record, registry, phase))
    if (registry) compared.push(await compareUses(client, record, registry))
    const uids = [
      ...drillEvent.uids,
      ...drillEvent.queueUids,
      drillEvent.probe.uid,
      ...(registry?.guests ?? []).map(({ uid }) => uid),
      ...left.flatMap((each) => each.uids),
    ]
    const categories = [
      drillEvent.category,
      ...(registry ? [registry.category] : []),
      ...left.flatMap((each) => each.categories),
    ]
    compared.push(await compareWithRecount(client, record, all, { uids, categories }))
    await receiver?.close()
  })
}

/** Runs load and faults until the time is over; gives the guests that the changers leave. */
async function openDoors(
  system: DrillSystem,
  record: Record,
  drillEvent: DrillEvent,
  registry: Registry | undefined,
  options: DrillOptions,
  phase: Phase,
): Promise<Left[]> {
  const { seconds, scanners = SCANNERS, seed, say, upgrades = false, wholeRound = upgrades } = options
  const opened = now()
  const round = Promise.withResolvers<void>()
  const time = sleep(seconds * 1_000, undefined, { signal: phase.signal }).catch(() => {})
  const over = new AbortController()
  void (wholeRound ? Promise.all([time, round.promise]) : time).then(() => over.abort())
  const closed = AbortSignal.any([phase.signal, over.signal])
  const progress = (): number => Math.min(1, (now() - opened) / (seconds * 1_000))
  const chances = Array.from({ length: scanners + CHANGERS + 1 }, (_, n) => new Random(seed * 100 + n))
  const gate = new Gate()
  const injecting = { system, record, chance: chances.pop()!, phase, say }
  const working = new Set<string>()
  const atWork = async <T>(name: string, work: Promise<T>): Promise<T> => {
    working.add(name)
    return work.finally(() => working.delete(name))
  }
  const device = (n: number): Client => new Client(system, record, phase, n)
  const disturbing = upgrades
    ? upgrade(injecting, async () => registry && (await assignSeats(device(0), registry))).then(round.resolve)
    : doorFaults(injecting, castOf(options), drillEvent, gate).injectUntil(closed, round.resolve)
  phase.waitFor(() =>
    over.signal.aborted
      ? `${[...working].join(', ')}, since the time is over`
      : `the time to be over${wholeRound ? ` and ${upgrades ? 'the upgrades to be done' : 'each fault to be injected'}` : ''}`,
  )
  const [left] = await Promise.all([
    Promise.all(
      Array.from({ length: CHANGERS }, (_, n) =>
        atWork(`changer ${n}`, changeOn(device(n), record, `changing-${n}`, chances.pop()!, closed)),
      ),
    ),
    atWork(upgrades ? 'the upgrades' : 'the last fault', disturbing),
    ...(registry ? [atWork('registrars', registerGuests(device, record, registry, seed, closed))] : []),
    ...chances.map((chance, n) =>
      atWork(`device ${n}`, scanOn(device(n), record, drillEvent, chance, progress, gate, closed)),
    ),
  ])
  const rate = Math.round(record.successes.length / ((now() - opened) / 1000))
  say(`${rate} answers/s; the doors are closed, all is compared`)
  return left
}
