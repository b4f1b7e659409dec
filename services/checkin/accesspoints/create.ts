import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { areaErrors, withoutGoneArea } from './areas.ts'
import { type ShownAccesspoint, withLinks } from './list.ts'
import type { accesspoints } from './resource.ts'

/** Creates a check-in point. */
export async function create(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, newId }: Call<(typeof accesspoints)['actions']['create']>,
): Promise<ShownAccesspoint> {
  const { accesspoints, changeLog } = dependencies
  const body = await accept(await areaErrors(dependencies, event_id, given))
  const inserted = accesspoints.insert({ _id: newId(), event_id, ...body, ...newTimes() })
  const created = await changeLog.adding(event_id, { rights: true }, inserted)
  return withLinks(await withoutGoneArea(dependencies, created), [])
}
