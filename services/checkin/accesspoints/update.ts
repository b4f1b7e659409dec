import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { areaErrors, withoutGoneArea } from './areas.ts'
import { type ShownAccesspoint, withLinks } from './list.ts'
import type { accesspoints } from './resource.ts'

/** Changes fields of a check-in point. */
export async function update(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<(typeof accesspoints)['actions']['update']>,
): Promise<ShownAccesspoint> {
  const { accesspoints, links, changeLog } = dependencies
  const body = await accept(await areaErrors(dependencies, event_id, given))
  const updated = accesspoints.update(event_id, id, body)
  // The door knows neither names nor signatures.
  const changesRights = body.area_id !== undefined || body.direction !== undefined
  const point = found(await (changesRights ? changeLog.adding(event_id, { rights: true }, updated) : updated))
  return withLinks(await withoutGoneArea(dependencies, point), await links.ofPoint(event_id, id))
}
