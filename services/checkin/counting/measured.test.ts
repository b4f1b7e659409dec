import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { expect, inject, test } from 'vitest'
import { AccesspointStore } from '../accesspoints/store.ts'
import type { CheckIn } from '../check-ins/store.ts'
import { EventTotals } from './event-totals.ts'
import { LateChanges } from './late-changes.ts'
import { SegmentStore } from './segments.ts'

const GUESTS = 100_000
/** Check-ins that arrived within the last half minute are read again with each call. */
const LATELY = 1_500
const CHUNK = 5_000
const MEASURED = 11

test('statistics with 100,000 persons inside two areas take less than 50 ms', deep, async () => {
  const system = await startSystem()
  const store = await openStore(inject('mongodbUrl'), system.namespace, 'checkin')
  try {
    const testEvent = await TestEvent.open(system)
    const points = await Promise.all(
      ['hall', 'bar'].map(async (name) => {
        const { _id: area_id } = await testEvent.make('areas.json', { name })
        return (await testEvent.make('accesspoints.json', { name, area_id }))._id
      }),
    )
    const checkIns = store.db.collection<CheckIn>('access_controls')
    for (let from = 0; from < GUESTS; from += CHUNK) {
      const rows = Array.from({ length: CHUNK }, (_, n) => checkIn(testEvent.id, points[n % 2], from + n))
      await checkIns.insertMany(rows, { ordered: false })
    }
    const sources = [new SegmentStore(store.db), new LateChanges(store.db), new AccesspointStore(store.db)] as const
    const totals = new EventTotals(...sources, system.bus)
    const tookMs: number[] = []
    for (let n = 0; n <= MEASURED; n++) {
      const begun = performance.now()
      const { inside } = await totals.sums(testEvent.id, false)
      tookMs.push(performance.now() - begun)
      const sum = [...inside.values()].reduce((all, each) => all + each.inside, 0)
      expect(sum).toBe(GUESTS)
    }
    // The first one reads all check-ins.
    const [, ...later] = tookMs
    const median = later.sort((one, other) => one - other)[Math.trunc(MEASURED / 2)]
    console.log(
      `statistics with ${GUESTS} inside: ${median?.toFixed(1)} ms (${LATELY} check-ins of the last half minute)`,
    )
    expect(median).toBeLessThan(50)
  } finally {
    await store.close()
    await system.stop()
  }
})

/** Guests come every 10 ms; the last ones came just now. */
function checkIn(event_id: string, accesspoint_id = '', number: number): CheckIn {
  const _id = `${event_id} ${number}`
  const ms = number < GUESTS - LATELY ? 10 * (GUESTS - number) + 60_000 : 10 * (GUESTS - number)
  const at = new Date(Date.now() - ms)
  return {
    ...{ _id, event_id, accesspoint_id, guest_uid: `guest ${number}`, access_status: 0, slot: 1 },
    ...{ access_stamp: at, created_at: at, updated_at: at },
  }
}
