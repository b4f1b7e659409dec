import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import type { StoredCheckIn } from '@gatehouse/cli/demo/recount.ts'
import { changeOn, type Left } from './changing.ts'
import { Client } from './client.ts'
import { compareHistories, compareLeft, compareStored, compareTroubles } from './comparing.ts'
import { compareWithRecount } from './counting.ts'
import { type DrillEvent, makeDrillEvent } from './drill-event.ts'
import { FaultInjector } from './fault-injector.ts'
import { Gate } from './gate.ts'
import { scanOn } from './load.ts'
import { inPhase, type Phase, Unfinished } from './phases.ts'
import { now, Record } from './record.ts'
import { inEvent } from './scanning.ts'
import { type DrillSystem, startDrillSystem } from './system.ts'

const SCANNERS = 28
const CHANGERS = 4
const GUESTS_PER_SECOND = 25
const MAX_GUESTS = 5_000
/** The last requests, and tries still pending in a process, end within this time. */
const SETTLING_MS = 10_000

/** The deadline of each phase in ms; that of scanning is added to the time of the load. */
const DEADLINES = {
  starting: 180_000,
  registering: 180_000,
  scanning: 240_000,
  comparing: 240_000,
  ending: 60_000,
}
type Deadlines = typeof DEADLINES

/** How to run a drill. */
export interface DrillOptions {
  /** How long the load lasts. */
  seconds: number
  /** A whole number; determines who scans whom, and the order of faults. */
  seed: number
  /** Gets each line of progress. */
  say: (line: string) => void
  /** Prolongs the load until every kind of fault was injected. */
  wholeRound?: boolean
  /** Factor for all promised times: 1 on a machine with nothing else to do. */
  slack: number
  /** Ends the drill at once. */
  interrupted?: AbortSignal
  /** Replaces deadlines, in ms. */
  deadlines?: Partial<Deadlines>
}

/** The result of a drill: without violations `record.violations` is empty. */
export interface Outcome {
  record: Record
  /** A line for each comparison. */
  compared: string[]
}

/**
 * Starts the real system, injects faults under load, and compares its answers with what it stores; undefined when interrupted. A phase that does
 * not end is a violation; only in the start it throws.
 */
export async function runDrill(options: DrillOptions): Promise<Outcome | undefined> {
  const { say, slack, interrupted } = options
  const outcome: Outcome = { record: new Record(slack), compared: [] }
  const broken = (error: unknown): void => {
    if (!(error instanceof Unfinished)) throw error
    outcome.record.violation('finished', 'a phase did not end', [error.message])
  }
  let starting: Promise<DrillSystem> | undefined
  let system: DrillSystem | undefined
  try {
    system = await during('starting', options, (phase) => {
      starting = startDrillSystem(say, phase)
      return starting
    })
    await drill(system, options, outcome)
  } catch (error) {
    if (!interrupted?.aborted) {
      if (!system) throw error
      broken(error)
    }
  } finally {
    // An interruption must not stop the shutdown.
    const { interrupted: _, ...uninterrupted } = options
    await during('ending', uninterrupted, async (phase) => {
      phase.waitFor('its processes to end')
      // A failed start ends its processes itself.
      await starting?.then(
        (started) => started.stop(),
        () => {},
      )
    }).catch(broken)
  }
  return interrupted?.aborted ? undefined : outcome
}

/** Runs a phase with its deadline. */
function during<T>(
  name: keyof Deadlines,
  { say, slack, seconds, interrupted, deadlines }: DrillOptions,
  work: (phase: Phase) => Promise<T>,
): Promise<T> {
  const beyond = name === 'scanning' ? seconds * 1_000 : 0
  return inPhase(name, beyond + (deadlines?.[name] ?? DEADLINES[name] * slack), { say, interrupted }, work)
}

async function drill(system: DrillSystem, options: DrillOptions, { record, compared }: Outcome): Promise<void> {
  const { seconds, say } = options
  const guestCount = Math.min(MAX_GUESTS, Math.ceil(seconds * GUESTS_PER_SECOND) + 50)
  const drillEvent = await during('registering', options, (phase) =>
    makeDrillEvent(new Client(system, record, phase), system.account_id, guestCount, phase),
  )
  say(`${guestCount} guests are registered, and a crowd of ${drillEvent.queueUids.length}; the doors open`)
  const left = await during('scanning', options, (phase) => openDoors(system, record, drillEvent, options, phase))
  await during('comparing', options, async (phase) => {
    phase.waitFor('what was sent last to come to its end')
    await sleep(SETTLING_MS, undefined, { signal: phase.signal })
    const client = new Client(system, record, phase)
    const list = (): Promise<StoredCheckIn[]> => client.list(inEvent('access_controls.json'))
    const rows = await list()
    compared.push(compareTroubles(record), compareStored(record, rows), compareHistories(record, rows))
    compared.push(await compareLeft(client, record, rows, phase))
    const all = await list()
    compareStored(record, all)
    const uids = [
      ...drillEvent.uids,
      ...drillEvent.queueUids,
      drillEvent.probe.uid,
      ...left.flatMap((each) => each.uids),
    ]
    const categories = [drillEvent.category, ...left.flatMap((each) => each.categories)]
    compared.push(await compareWithRecount(client, record, all, { uids, categories }))
  })
}

/** Runs load and faults until the time is over; gives the guests that the changers leave. */
async function openDoors(
  system: DrillSystem,
  record: Record,
  drillEvent: DrillEvent,
  { seconds, seed, say, wholeRound = false }: DrillOptions,
  phase: Phase,
): Promise<Left[]> {
  const opened = now()
  const round = Promise.withResolvers<void>()
  const time = sleep(seconds * 1_000, undefined, { signal: phase.signal }).catch(() => {})
  const over = new AbortController()
  void (wholeRound ? Promise.all([time, round.promise]) : time).then(() => over.abort())
  const closed = AbortSignal.any([phase.signal, over.signal])
  const progress = (): number => Math.min(1, (now() - opened) / (seconds * 1_000))
  const chances = Array.from({ length: SCANNERS + CHANGERS + 1 }, (_, n) => new Random(seed * 100 + n))
  const gate = new Gate()
  const faultInjector = new FaultInjector(system, record, drillEvent, chances.pop()!, gate, phase, say)
  const working = new Set<string>()
  const atWork = async <T>(name: string, work: Promise<T>): Promise<T> => {
    working.add(name)
    return work.finally(() => working.delete(name))
  }
  const device = (n: number): Client => new Client(system, record, phase, n)
  phase.waitFor(() =>
    over.signal.aborted
      ? `${[...working].join(', ')}, since the time is over`
      : `the time to be over${wholeRound ? ', and each fault to be injected' : ''}`,
  )
  const [left] = await Promise.all([
    Promise.all(
      Array.from({ length: CHANGERS }, (_, n) =>
        atWork(`changer ${n}`, changeOn(device(n), record, `changing-${n}`, chances.pop()!, closed)),
      ),
    ),
    atWork('the last fault', faultInjector.injectUntil(closed, round.resolve)),
    ...chances.map((chance, n) =>
      atWork(`device ${n}`, scanOn(device(n), record, drillEvent, chance, progress, gate, closed)),
    ),
  ])
  const rate = Math.round(record.successes.length / ((now() - opened) / 1000))
  say(`${rate} answers/s; the doors are closed, all is compared`)
  return left
}
