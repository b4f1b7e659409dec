import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Random } from '@gatehouse/cli/demo/random.ts'
import { changeOn } from './changing.ts'
import { Client } from './client.ts'
import { compareCounts, compareHistories, compareLeft, compareStored, type Stored } from './comparing.ts'
import { startCrew } from './crew.ts'
import { doHarm } from './harms.ts'
import { scanOn } from './load.ts'
import { now, Record } from './record.ts'
import { inEvent } from './scanning.ts'
import { makeVenue } from './venue.ts'

const SCANNERS = 28
const CHANGERS = 4
const GUESTS_PER_CHANGER = 20
const GUESTS_PER_SECOND = 25
const MOST_GUESTS = 5_000
/** Requests that were sent last, and tries that still linger in a process, have come to their end by then. */
const SETTLING_MS = 6_000

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seconds = Number(values.seconds)
const seed = Number(values.seed)
if (!(seconds >= 1 && seconds <= 3_600) || !Number.isInteger(seed)) {
  say('drill: --seconds takes 1 to 3600, --seed a whole number')
  process.exit(2)
}
// Devices that were interrupted would insist for a minute more.
process.exit(await drill())

async function drill(): Promise<number> {
  say(`drill of ${seconds} s, --seed ${seed}`)
  const interrupted = Promise.withResolvers<'interrupted'>()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interrupted.resolve('interrupted'))
  const stop = new AbortController()
  const crew = await startCrew(say)
  try {
    const record = new Record()
    const run = runDrill(crew, record, stop.signal)
    run.catch(() => {})
    if ((await Promise.race([run, interrupted.promise])) === 'interrupted') {
      say('interrupted: nothing is compared')
      return 130
    }
    return report(record, await run)
  } finally {
    stop.abort()
    await crew.stop()
  }
}

async function runDrill(
  crew: Awaited<ReturnType<typeof startCrew>>,
  record: Record,
  stopped: AbortSignal,
): Promise<string[]> {
  const client = new Client(crew, record)
  const guestCount = Math.min(MOST_GUESTS, Math.ceil(seconds * GUESTS_PER_SECOND) + 50)
  const venue = await makeVenue(client, crew.account_id, guestCount)
  say(`${guestCount} guests are registered; the doors open`)
  const opened = now()
  const closed = AbortSignal.any([stopped, AbortSignal.timeout(seconds * 1_000)])
  const progress = (): number => Math.min(1, (now() - opened) / (seconds * 1_000))
  const chances = Array.from({ length: SCANNERS + CHANGERS + 1 }, (_, n) => new Random(seed * 100 + n))
  await Promise.all([
    doHarm(crew, client, record, chances.pop()!, venue.probe, say, closed),
    ...Array.from({ length: CHANGERS }, (_, n) =>
      changeOn(new Client(crew, record, n), record, `changing-${n}`, chances.pop()!, closed),
    ),
    ...chances.map((chance, n) => scanOn(new Client(crew, record, n), record, venue, chance, progress, closed)),
  ])
  say(
    `${Math.round(record.successes.length / ((now() - opened) / 1000))} answers/s; the doors are closed, all is compared`,
  )
  await sleep(SETTLING_MS)
  const list = (): Promise<Stored[]> => client.list<Stored>(inEvent('access_controls.json'))
  const rows = await list()
  const compared = [
    compareStored(record, rows),
    compareHistories(record, rows),
    await compareLeft(client, record, rows),
  ]
  const all = await list()
  compareStored(record, all)
  const guestsInAll = guestCount + 1 + CHANGERS * GUESTS_PER_CHANGER
  compared.push(await compareCounts(client, record, all, guestsInAll))
  return compared
}

function report(record: Record, compared: string[]): number {
  for (const what of compared) say(`compared: ${what}`)
  const statuses = [...record.statuses].sort().map(([status, count]) => `${status || 'closed'}: ${count}`)
  say(`answers by status: ${statuses.join(', ')}; the slowest took ${Math.round(record.slowest)} ms`)
  for (const how of ['keyed', 'batch'] as const) say(waitsOf(record, how))
  say(`harms: ${record.harms.length}`)
  for (const [kind, { count, histories }] of record.violations) {
    say(`VIOLATION: ${kind} (${count} times)`)
    for (const history of histories)
      for (const [index, line] of history.entries()) say(`${index === 0 ? '  - ' : '      '}${line}`)
  }
  if (record.violations.size === 0) say('no promise was broken')
  return record.violations.size === 0 ? 0 : 1
}

/** How long devices that insisted had to wait for an answer. */
function waitsOf({ scans }: Record, how: 'keyed' | 'batch'): string {
  const insisted = scans.filter((scan) => scan.how === how)
  const unanswered = insisted.filter(({ answers }) => answers.length === 0).length
  const longest = insisted.reduce(
    (most, { sent, answers }) => Math.max(most, (answers[0]?.at ?? 0) - (sent[0] ?? 0)),
    0,
  )
  return `${how} scans: ${insisted.length}, the longest wait ${Math.round(longest)} ms over all tries; ${unanswered} gave up`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
