import type { Dependencies } from '../dependencies.ts'
import type { StoredArea } from './store.ts'

/** An area as clients see it. */
export type ShownArea = StoredArea & { inside_count: number }

/** Returns areas of an event with the persons inside each. */
export async function withInside(
  { totals }: Pick<Dependencies, 'totals'>,
  event_id: string,
  areas: StoredArea[],
): Promise<ShownArea[]> {
  if (areas.length === 0) return []
  const inside = await totals.inside(event_id)
  return areas.map((area) => ({ ...area, inside_count: inside.get(area._id)?.inside ?? 0 }))
}

/** As {@link withInside}, for one area. */
export async function withInsideOfOne(
  dependencies: Pick<Dependencies, 'totals'>,
  area: StoredArea,
): Promise<ShownArea> {
  const [shown] = await withInside(dependencies, area.event_id, [area])
  return shown as ShownArea
}
