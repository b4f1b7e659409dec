import { CHECK_INS_PER_GUEST } from './documents.ts'
import type { SeedRange } from './seeder.ts'
import { startWorker } from './worker.ts'

/** An event to fill. Without points it gets no check-ins. */
export interface SeedEvent {
  event_id: string
  category: string
  guests: number
  points: string[]
}

/** Documents of one job of a seeder. */
const RANGE_SIZE = 10_000
const SEEDERS = 2

/** Fills an event from two processes at once, and reports the number of stored documents to `progress`. */
export async function seedEvent(
  mongodbUrl: string,
  namespace: string,
  event: SeedEvent,
  progress: (done: number, all: number) => void,
): Promise<void> {
  const ranges = rangesOf(event, Date.now())
  const all = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
  let next = 0
  let done = 0
  const seeders = Array.from({ length: SEEDERS }, async () => {
    const seeder = await startWorker<SeedRange, void>('seeder.ts', { MONGODB_URL: mongodbUrl, NAMESPACE: namespace })
    try {
      for (let range = ranges[next++]; range; range = ranges[next++]) {
        await seeder.run(range)
        done += range.to - range.from
        progress(done, all)
      }
    } finally {
      seeder.stop()
    }
  })
  await Promise.all(seeders)
}

function rangesOf({ event_id, category, guests, points }: SeedEvent, now: number): SeedRange[] {
  const checkIns = points.length > 0 ? guests * CHECK_INS_PER_GUEST : 0
  const of = (what: SeedRange['what'], count: number): SeedRange[] =>
    Array.from({ length: Math.ceil(count / RANGE_SIZE) }, (_, index) => ({
      what,
      event_id,
      category,
      guests,
      points,
      from: index * RANGE_SIZE,
      to: Math.min(count, (index + 1) * RANGE_SIZE),
      begin: now - guests,
      end: now,
    }))
  return [...of('guests', guests), ...of('checkIns', checkIns)]
}
