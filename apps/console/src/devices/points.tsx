import type { CellProps } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import type { ConsoleSay } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'

/** The check-in points of a device. */
export function DevicePoints({ item, names }: CellProps) {
  return <>{pointsOf(useConsole().say, item, names?.accesspoint_ids)}</>
}

/** Names the check-in points of a device; one without serves all of the event. */
export function pointsOf(
  say: ConsoleSay,
  { accesspoint_ids }: Item,
  points: ReadonlyMap<string, string> | undefined,
): string {
  if (!Array.isArray(accesspoint_ids) || accesspoint_ids.length === 0) return say('device_all_points')
  return accesspoint_ids.map((id) => points?.get(String(id)) ?? '…').join(', ')
}
