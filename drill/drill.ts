import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import type { RealSystem, SystemPlan } from '@gatehouse/test/load/system.ts'
import { changeOn, type Left } from './changing.ts'
import { DrillClient } from './client.ts'
import { compareCheckIns } from './comparing.ts'
import { allLeft, compareWithRecount } from './counting.ts'
import { CLUSTERED_DOORS, DOORS, doorFaults } from './door-faults.ts'
import { type DrillEvent, makeDrillEvent } from './drill-event.ts'
import { DeviceGate } from './full.ts'
import { UPGRADE_INVARIANTS } from './invariants.ts'
import { scanOn } from './load.ts'
import { FaultyMailServer } from './mail/mail-server.ts'
import { moveOn } from './moving.ts'
import { now } from './record.ts'
import { assignSeats, compareUpgraded } from './registering.ts'
import { compareRegistration, openRegistration, type Registration, registerAndInvite } from './registration.ts'
import { type DrillResult, type During, type RunOptions, runPhases } from './running.ts'
import { UPGRADED, upgrade } from './upgrade/upgrade.ts'

/** Devices at the doors, unless another number is given. */
export const SCANNERS = 28
const CHANGERS = 4
const MOVERS = 2
const GUESTS_PER_SECOND = 25
const MAX_GUESTS = 5_000
/** Recipients whom partners invite in a second, and of how many e-mails one keeps its link, by which its recipient accepts or unsubscribes. */
const RECIPIENTS_PER_SECOND = 12
const LINK_OF = 4
/** The last requests, and tries still pending in a process, end within this time. */
const SETTLING_MS = 10_000

/** The deadline of each phase in ms; that of scanning is added to the time of the load. */
const DEADLINES = {
  registering: 180_000,
  scanning: 240_000,
  comparing: 420_000,
}

/** How long all upgrades may take beyond it, and take at least, with its pauses. */
const UPGRADING_MS = 300_000
const LEAST_UPGRADING_MS = 150_000

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
  /** Replaces deadlines, in ms without slack. */
  deadlines?: Partial<typeof DEADLINES>
}

/** Starts the real system, injects faults under load, and compares its answers with what it stores; undefined when interrupted. */
export async function runDrill(options: DrillOptions): Promise<DrillResult | undefined> {
  const server = options.cluster || options.upgrades ? new FaultyMailServer(options.seed, LINK_OF) : undefined
  const { settings, ...plan } = planOf(options)
  const all = { ...plan, settings: { ...settings, ...(server && (await server.start())) } }
  try {
    return await runPhases(all, UPGRADE_INVARIANTS, options, (system, result, during) =>
      drill(system, server, options, result, during),
    )
  } finally {
    await server?.stop()
  }
}

function planOf({ cluster = false, upgrades = false }: DrillOptions): SystemPlan {
  if (upgrades) return UPGRADED
  return cluster ? CLUSTERED_DOORS : DOORS
}

async function drill(
  system: RealSystem,
  server: FaultyMailServer | undefined,
  options: DrillOptions,
  { record, compared }: DrillResult,
  during: During,
): Promise<void> {
  const { seconds, seed, say, upgrades, deadlines = {} } = options
  const { registering, scanning, comparing } = { ...DEADLINES, ...deadlines }
  const guestCount = Math.min(MAX_GUESTS, Math.ceil(seconds * GUESTS_PER_SECOND) + 50)
  const drillEvent = await during('registering', registering, (phase) =>
    makeDrillEvent(new DrillClient(system, record, phase), guestCount),
  )
  const recipients = (seconds + (upgrades ? LEAST_UPGRADING_MS / 1_000 : 0)) * RECIPIENTS_PER_SECOND
  const registration =
    server &&
    (await during('registering', registering, (phase) =>
      openRegistration(new DrillClient(system, record, phase), server, recipients),
    ))
  say(`${guestCount} guests are registered, and a crowd of ${drillEvent.queueUids.length}; the doors open`)
  const left = await during(
    'scanning',
    scanning + (upgrades ? UPGRADING_MS : 0),
    (phase) => openDoors(new DrillClient(system, record, phase), drillEvent, registration, options),
    seconds * 1_000,
  )
  await during('comparing', comparing, async (phase) => {
    phase.waitFor('what was sent last to come to its end')
    await sleep(SETTLING_MS, undefined, { signal: phase.signal })
    const client = new DrillClient(system, record, phase)
    const checkIns = await compareCheckIns(client, compared)
    if (registration) {
      if (upgrades) compared.push(await compareUpgraded(client, registration.registry))
      left.push(await compareRegistration({ client, registration, seed }, checkIns, compared))
    }
    compared.push(await compareWithRecount(client, checkIns, allLeft(drillEvent, left)))
  })
}

/** Runs load and faults until the time is over; returns the guests that the changers leave. */
async function openDoors(
  client: DrillClient,
  drillEvent: DrillEvent,
  registration: Registration | undefined,
  options: DrillOptions,
): Promise<Left[]> {
  const { record, phase } = client
  const { seconds, scanners = SCANNERS, seed, say, upgrades = false, wholeRound = upgrades } = options
  const opened = now()
  const round = Promise.withResolvers<void>()
  const time = sleep(seconds * 1_000, undefined, { signal: phase.signal }).catch(() => {})
  const over = new AbortController()
  void (wholeRound ? Promise.all([time, round.promise]) : time).then(() => over.abort())
  const closed = AbortSignal.any([phase.signal, over.signal])
  const progress = (): number => Math.min(1, (now() - opened) / (seconds * 1_000))
  const chances = Array.from({ length: scanners + CHANGERS + MOVERS + 1 }, (_, n) => new Random(seed * 100 + n))
  const gate = new DeviceGate()
  const injecting = { client, chance: chances.pop()!, say }
  const working = new Set<string>()
  const atWork = async <T>(name: string, work: Promise<T>): Promise<T> => {
    working.add(name)
    return work.finally(() => working.delete(name))
  }
  let upgraded = 0
  const done = (share: number): void => {
    upgraded = share
  }
  const disturbing = upgrades
    ? upgrade({ client, say, done }, async () => {
        if (registration) await assignSeats(client, registration.registry)
      }).then(round.resolve)
    : doorFaults(injecting, planOf(options), drillEvent, gate).injectUntil(closed, round.resolve)
  const invited = (): number => (upgrades ? upgraded : progress())
  phase.waitFor(() =>
    over.signal.aborted
      ? `${[...working].join(', ')}, since the time is over`
      : `the time to be over${wholeRound ? ` and ${upgrades ? 'the upgrades to be done' : 'each fault to be injected'}` : ''}`,
  )
  const [left] = await Promise.all([
    Promise.all([
      ...Array.from({ length: CHANGERS }, (_, n) =>
        atWork(`changer ${n}`, changeOn(client.at(n), `changing-${n}`, chances.pop()!, closed)),
      ),
      ...Array.from({ length: MOVERS }, (_, n) =>
        atWork(`mover ${n}`, moveOn(client.at(n), `moving-${n}`, chances.pop()!, closed)),
      ),
    ]),
    atWork(upgrades ? 'the upgrades' : 'the last fault', disturbing),
    ...(registration
      ? [atWork('registration', registerAndInvite({ client, registration, seed }, invited, closed))]
      : []),
    ...chances.map((chance, n) =>
      atWork(`device ${n}`, scanOn(client.at(n), drillEvent, chance, progress, closed, gate)),
    ),
  ])
  const rate = Math.round(record.successes.length / ((now() - opened) / 1000))
  say(`${rate} answers/s; the doors are closed, all is compared`)
  return left
}
