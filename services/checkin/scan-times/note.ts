import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { scanTimes } from './resource.ts'
import type { Increment } from './store.ts'

type Note = (typeof scanTimes)['actions']['note']

/** Counts scans that a gateway has timed, as far as they are of check-in points that exist: others, clients could make up without end. */
export async function note(
  { scanTimes, accesspoints }: Dependencies,
  { body: { note_id, counts } }: Call<Note>,
): Promise<undefined> {
  for (const [event_id, ofEvent] of Map.groupBy(counts, (each) => each.event_id)) {
    const points = new Set(ofEvent.map(({ accesspoint_id }) => accesspoint_id))
    const known = new Set(await accesspoints.known(event_id, [...points]))
    const increments = ofEvent
      .filter(({ accesspoint_id }) => known.has(accesspoint_id))
      .map(({ accesspoint_id, token_id, ago_ms, count, ...time }): Increment => {
        return { accesspoint_id, token_id, ago_ms, counted: 'gatehouse', count, time }
      })
    await scanTimes.add(event_id, note_id, increments)
  }
}
