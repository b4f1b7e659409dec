import type { BackgroundLoad } from './background.ts'
import { type BenchCase, SYSTEM } from './case.ts'
import { newId } from './documents.ts'
import { type Environment, STORES } from './environment.ts'
import type { Job } from './job.ts'
import { CHECK_INS } from './migrated.ts'
import { atRate } from './scan-cases.ts'
import type { MigrateJob } from './workers/migrator.ts'

/* Cases of `gatehouse migrate`, from prepared pages. */

/** Scans a second of a door beside a takeover. */
const DOOR_RATE = 100
/** The door is planned for so many seconds at once. */
const DOOR_SECONDS = 10
/** The processes that a takeover keeps busy. */
const MIGRATING = ['migrator', 'pages', 'guests', 'checkin', ...STORES]

const door = atRate(`check-in, ${DOOR_RATE}/s`, DOOR_RATE)

/** All of them, each after the case that it is compared with. */
export const migrateCases: BenchCase[] = [
  { name: 'takeover', group: 'migrate', processes: MIGRATING, job: jobOf },
  {
    name: `takeover beside ${DOOR_RATE}/s`,
    group: 'migrate',
    processes: [...new Set([...SYSTEM, ...MIGRATING])],
    baseline: 'takeover',
    job: jobOf,
    background: (environment) => repeated(environment, () => door.job(environment, DOOR_SECONDS)),
  },
  { ...door, group: 'migrate' },
  {
    ...door,
    name: `beside a takeover, ${DOOR_RATE}/s`,
    group: 'migrate',
    processes: [...SYSTEM, 'migrator', 'pages'],
    baseline: door.name,
    background: (environment) => repeated(environment, () => jobOf(environment)),
  },
]

/** Takes over another event, with as many guests as are asked for and their check-ins. */
async function jobOf({ peers, system, migrated }: Environment): Promise<MigrateJob> {
  const from = `${peers.pages}/${newId()}/${migrated}`
  return { worker: 'migrator', from, account_id: system.account_id, count: (1 + CHECK_INS) * migrated }
}

/** Runs one job after the other. */
async function repeated(environment: Environment, next: () => Promise<Job>): Promise<BackgroundLoad> {
  let isOver = false
  let done = 0
  let job = await next()
  const worker = await environment.worker(job.worker)
  const running = (async () => {
    for (; !isOver; job = await next()) done += (await worker.run(job)).requests
  })()
  return async () => {
    isOver = true
    const [during, begun] = [done, performance.now()]
    await running
    return { during, afterwards: done - during, seconds: (performance.now() - begun) / 1_000 }
  }
}
