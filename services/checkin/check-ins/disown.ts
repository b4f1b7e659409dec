import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { disownEach } from '@gatehouse/proto/storage/adopting.ts'
import type { Dependencies } from '../dependencies.ts'
import { removed } from './delete.ts'
import type { checkIns } from './resource.ts'

type Disown = typeof checkIns.actions.disown

/** Deletes check-ins of another system that are gone there; granted ones give their accesses back. */
export async function disown(
  dependencies: Dependencies,
  { body: { event_id, ids } }: Call<Disown>,
): Promise<Output<Disown>> {
  const stored = await dependencies.checkIns.findMany(ids)
  const ofEvent = [...stored.values()].filter((checkIn) => checkIn.event_id === event_id)
  return disownEach(ids, ofEvent, async (checkIn) => (await removed(dependencies, checkIn)) !== null)
}
