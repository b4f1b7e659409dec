import type { BackgroundLoad } from './background.ts'
import { type BenchCase, SYSTEM } from './case.ts'
import { newId } from './documents.ts'
import { type Environment, STORES } from './environment.ts'
import { CHECK_INS } from './migrated.ts'
import { atRate } from './scan-cases.ts'
import type { MigrateJob } from './workers/migrator.ts'

/* Cases of `gatehouse migrate`, from prepared pages. */

/** Scans a second of a door beside a takeover. */
const DOOR_RATE = 100
/** The processes that a takeover keeps busy. */
const MIGRATING = ['migrator', 'pages', 'guests', 'checkin', ...STORES]

/** All of them, each after the case that it is compared with. */
export const migrateCases: BenchCase[] = [
  {
    name: 'guests of another system',
    group: 'migrate',
    baseline: 'insertMany guests',
    processes: MIGRATING,
    job: async (environment) => jobOf(environment, 'guests'),
  },
  {
    name: 'check-ins of another system',
    group: 'migrate',
    processes: MIGRATING,
    job: async (environment) => jobOf(environment, 'access_controls'),
  },
  { ...atRate(`check-in, ${DOOR_RATE}/s`, DOOR_RATE), group: 'migrate' },
  {
    ...atRate(`beside a takeover, ${DOOR_RATE}/s`, DOOR_RATE),
    group: 'migrate',
    processes: [...SYSTEM, 'migrator', 'pages'],
    baseline: `check-in, ${DOOR_RATE}/s`,
    background: takeOver,
  },
]

/** Takes over another event, with as many guests as are asked for. */
function jobOf({ peers, system, migrated }: Environment, kind: MigrateJob['kind']): MigrateJob {
  const count = kind === 'guests' ? migrated : CHECK_INS * migrated
  const from = `${peers.pages}/${newId()}/${migrated}`
  return { worker: 'migrator', from, account_id: system.account_id, kind, count }
}

/** Takes over one event after the other. */
async function takeOver(environment: Environment): Promise<BackgroundLoad> {
  const migrator = await environment.worker('migrator')
  let isOver = false
  let done = 0
  const running = (async () => {
    while (!isOver) done += (await migrator.run(jobOf(environment, 'access_controls'))).requests
  })()
  return async () => {
    isOver = true
    const [during, begun] = [done, performance.now()]
    await running
    return { during, afterwards: done - during, seconds: (performance.now() - begun) / 1_000 }
  }
}
