import { CHECK_INS_PER_GUEST } from './documents.ts'
import type { Stretch } from './seeder.ts'
import { startWorker } from './worker.ts'

/** An event to fill. Without points it gets no check-ins. */
export interface Filled {
  event_id: string
  category: string
  guests: number
  points: string[]
}

/** Documents that one process stores before it is told of the next. */
const STRETCH = 10_000
const FILLERS = 2

/** Fills an event from two processes at once; `progress` hears how much of all is done. */
export async function fillEvent(
  mongodbUrl: string,
  namespace: string,
  event: Filled,
  progress: (done: number, all: number) => void,
): Promise<void> {
  const stretches = stretchesOf(event, Date.now())
  const all = stretches.reduce((sum, { from, to }) => sum + to - from, 0)
  let next = 0
  let done = 0
  const fillers = Array.from({ length: FILLERS }, async () => {
    const options = { env: { MONGODB_URL: mongodbUrl, NAMESPACE: namespace }, announces: true }
    const filler = await startWorker<Stretch, object>('seeder.ts', options)
    try {
      for (let stretch = stretches[next++]; stretch; stretch = stretches[next++]) {
        await filler.run(stretch)
        done += stretch.to - stretch.from
        progress(done, all)
      }
    } finally {
      filler.stop()
    }
  })
  await Promise.all(fillers)
}

function stretchesOf({ event_id, category, guests, points }: Filled, now: number): Stretch[] {
  const checkIns = points.length > 0 ? guests * CHECK_INS_PER_GUEST : 0
  const of = (what: Stretch['what'], count: number): Stretch[] =>
    Array.from({ length: Math.ceil(count / STRETCH) }, (_, index) => ({
      what,
      event_id,
      category,
      guests,
      points,
      from: index * STRETCH,
      to: Math.min(count, (index + 1) * STRETCH),
      begin: now - guests,
      end: now,
    }))
  return [...of('guests', guests), ...of('checkIns', checkIns)]
}
