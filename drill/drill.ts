import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import { changeOn, type Left } from './changing.ts'
import { Client } from './client.ts'
import { compareHistories, compareLeft, compareStored, compareTroubles, type Stored } from './comparing.ts'
import { compareCounts } from './counting.ts'
import { type Crew, startCrew } from './crew.ts'
import { Gate } from './gate.ts'
import { Harmer } from './harming.ts'
import { scanOn } from './load.ts'
import { now, Record } from './record.ts'
import { inEvent } from './scanning.ts'
import { makeVenue, type Venue } from './venue.ts'

const SCANNERS = 28
const CHANGERS = 4
const GUESTS_PER_SECOND = 25
const MOST_GUESTS = 5_000
/** Requests that were sent last, and tries that still linger in a process, have come to their end by then. */
const SETTLING_MS = 10_000

/** How to run a drill. */
export interface DrillOptions {
  /** How long the doors are open. */
  seconds: number
  /** A whole number: fixes who scans whom and which harm follows which. */
  seed: number
  /** Gets each line of what goes on. */
  say: (line: string) => void
  /** Keeps the doors open until each harm was done once, however long that takes. */
  wholeRound?: boolean
  /** How many times as long things may take as was promised: 1 where nothing else goes on on the machine. */
  slack: number
  /** Ends it all at once. */
  interrupted?: AbortSignal
}

/** What came of a drill: `record.violations` is empty where no promise was broken. */
export interface Outcome {
  record: Record
  /** What was compared, a line each. */
  compared: string[]
}

/** Starts the real system, lets it be used and harmed, and compares what it answered with what it stores; undefined when interrupted. */
export async function runDrill(options: DrillOptions): Promise<Outcome | undefined> {
  const { say, interrupted } = options
  const end = new AbortController()
  const stop = interrupted ? AbortSignal.any([interrupted, end.signal]) : end.signal
  const interruption = new Promise<undefined>((resolve) => {
    interrupted?.addEventListener('abort', () => resolve(undefined))
  })
  const crew = await startCrew(say)
  try {
    const run = drill(crew, options, stop)
    run.catch(() => {})
    return await Promise.race([run, interruption])
  } finally {
    end.abort()
    await crew.stop()
  }
}

async function drill(
  crew: Crew,
  { seconds, seed, say, wholeRound, slack }: DrillOptions,
  stop: AbortSignal,
): Promise<Outcome> {
  const record = new Record(slack)
  const client = new Client(crew, record)
  const guestCount = Math.min(MOST_GUESTS, Math.ceil(seconds * GUESTS_PER_SECOND) + 50)
  const venue = await makeVenue(client, crew.account_id, guestCount)
  say(`${guestCount} guests are registered, and a crowd of ${venue.crowd.length}; the doors open`)
  const left = await openDoors(crew, record, venue, { seconds, seed, say, wholeRound: wholeRound ?? false }, stop)
  await sleep(SETTLING_MS)
  const list = (): Promise<Stored[]> => client.list<Stored>(inEvent('access_controls.json'))
  const rows = await list()
  const compared = [
    compareTroubles(record),
    compareStored(record, rows),
    compareHistories(record, rows),
    await compareLeft(client, record, rows),
  ]
  const all = await list()
  compareStored(record, all)
  const uids = [...venue.uids, ...venue.crowd, venue.probe.uid, ...left.flatMap((each) => each.uids)]
  const categories = [venue.category, ...left.flatMap((each) => each.categories)]
  compared.push(await compareCounts(client, record, all, { uids, categories }))
  return { record, compared }
}

/** The load and the harm, until the time is over; what the changers leave. */
async function openDoors(
  crew: Crew,
  record: Record,
  venue: Venue,
  { seconds, seed, say, wholeRound }: Required<Omit<DrillOptions, 'interrupted' | 'slack'>>,
  stop: AbortSignal,
): Promise<Left[]> {
  const opened = now()
  const round = Promise.withResolvers<void>()
  const time = sleep(seconds * 1_000, undefined, { signal: stop }).catch(() => {})
  const over = new AbortController()
  void (wholeRound ? Promise.all([time, round.promise]) : time).then(() => over.abort())
  const closed = AbortSignal.any([stop, over.signal])
  const progress = (): number => Math.min(1, (now() - opened) / (seconds * 1_000))
  const chances = Array.from({ length: SCANNERS + CHANGERS + 1 }, (_, n) => new Random(seed * 100 + n))
  const gate = new Gate()
  const harmer = new Harmer(crew, record, venue, chances.pop()!, gate, say)
  const [left] = await Promise.all([
    Promise.all(
      Array.from({ length: CHANGERS }, (_, n) =>
        changeOn(new Client(crew, record, n), record, `changing-${n}`, chances.pop()!, closed),
      ),
    ),
    harmer.harmOn(closed, round.resolve),
    ...chances.map((chance, n) => scanOn(new Client(crew, record, n), record, venue, chance, progress, gate, closed)),
  ])
  const rate = Math.round(record.successes.length / ((now() - opened) / 1000))
  say(`${rate} answers/s; the doors are closed, all is compared`)
  return left
}
