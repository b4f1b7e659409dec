import { NATS_SERVERS } from '@gatehouse/test/load/nats-cluster.ts'
import { type SystemPlan, storesOf } from '@gatehouse/test/load/system.ts'
import { serviceNames } from '../services/services.ts'
import type { DrillEvent } from './drill-event.ts'
import { FaultInjector, type Injecting } from './fault-injector.ts'
import { type DeviceGate, scanFully } from './full.ts'
import { emptying, type FaultKind, filling, killsAndPauses, slowRoutes, withoutRedis } from './injected-faults.ts'
import { send } from './scanning.ts'

/** After a fault each gateway must grant a check-in again within this time. */
const RECOVERY_MS = 10_000
const MEASURED_MS = 3_000
/** The required scans/s without Redis, or where the machine makes fewer than three times as many with it, a third of those. */
const MIN_PER_SECOND = 300
/** The required share of the earlier scans/s once Redis is back. */
const MIN_SHARE = 0.6

/** The system of a drill at the doors. */
export const DOORS: SystemPlan = {
  processes: ['sso', 'guests', 'checkin-1', 'checkin-2', 'gateway-1', 'gateway-2'],
}

/**
 * All services on a cluster of NATS servers, with two processes of each. Neighbours are at different servers, so that what one gateway changes is
 * scanned at a process of another server.
 */
export const CLUSTERED_DOORS: SystemPlan = {
  processes: ['gateway', ...serviceNames].flatMap((name) => [`${name}-1`, `${name}-2`]),
  isClustered: true,
  settings: { STREAM_REPLICAS: String(NATS_SERVERS.length), GATEHOUSE_ALLOW_PRIVATE_HOOKS: '1' },
}

/** Without the measurement. */
function kindsOf(plan: SystemPlan): FaultKind[] {
  const ofRoutes = plan.isClustered ? slowRoutes() : []
  return [...killsAndPauses([...plan.processes, ...storesOf(plan)]), ...ofRoutes, emptying, filling]
}

/** The number of kinds of faults of a drill at the doors. */
export const KINDS = kindsOf(DOORS).length + 1

type DoorDrill = Pick<Injecting, 'client' | 'chance' | 'say'>

/** Makes the injector of a drill at the doors. `gate` holds devices back during a measurement. */
export function doorFaults(
  given: DoorDrill,
  cast: SystemPlan,
  drillEvent: DrillEvent,
  gate: DeviceGate,
): FaultInjector {
  const { client } = given
  const { record } = client
  const kinds = kindsOf(cast)
  return new FaultInjector({
    ...given,
    // What a drill on a cluster is about.
    first: kinds.filter(({ name }) => name.startsWith('nats-')),
    kinds: [...kinds, (injector) => gate.closedFor(() => keepAway(injector, given, drillEvent))],
    recoveryMs: RECOVERY_MS,
    probe: (gateway) => send(client, record.scan(drillEvent.probe, 'single'), undefined, gateway),
    injected: ({ what, name, from, to }, rate) => {
      if (name === 'redis' && to - from > 1_000 && rate < 1)
        record.violation('alone', 'the door stands still without Redis', [`${what} at ${Math.round(from)} ms`])
    },
  })
}

/** Measures at full load: before, without Redis, and with an empty Redis. */
async function keepAway(
  injector: FaultInjector,
  { client, chance, say }: DoorDrill,
  drillEvent: DrillEvent,
): Promise<void> {
  const { record } = client
  const measure = (part: number): Promise<number> => scanFully(client, drillEvent, chance, part, MEASURED_MS)
  const before = await measure(0)
  let away = 0
  await injector.inject({
    what: 'keep redis away at full load, and delete its data',
    name: 'redis',
    kills: true,
    inject: (faulty) =>
      withoutRedis(faulty, async () => {
        away = await measure(1)
      }),
  })
  const back = await measure(2)
  record.rates.push({ before, away, back })
  const told = `${before} scans/s before, ${away} without Redis, ${back} when it is back and empty`
  say(`         ${told}`)
  const { slack } = record
  const required = Math.min(MIN_PER_SECOND, before / 3)
  if (Math.min(away, back) < required / slack)
    record.violation('alone', `less than ${Math.round(required)} scans/s without Redis`, [told])
  if (back < (before * MIN_SHARE) / slack) record.violation('alone', 'the door stays slow when Redis is back', [told])
}
