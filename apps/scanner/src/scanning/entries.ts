import type { ListedCheckIn, Point } from '../server/server.ts'
import type { StoredScan } from './scan.ts'

/** When and where a guest entered. */
export interface Entry {
  stamp: string
  /** The name of the check-in point. */
  point: string
}

/** Pages of check-ins that are looked through: a device that is bound to check-in points finds no more. */
const MAX_PAGES = 20
const TOO_MANY = 3

/**
 * When and where guests entered whom the server refused because they had entered before: the last entry at the same check-in point, by the place
 * of the scan. `page` gives check-ins, highest stamp first.
 */
export async function entriesBefore(
  refused: readonly StoredScan[],
  points: readonly Point[],
  page: (number: number) => Promise<readonly ListedCheckIn[]>,
): Promise<Map<number, Entry>> {
  const names = new Map(points.map(({ _id, name }) => [_id, name]))
  const entries = new Map<number, Entry>()
  let wanted = refused.filter(({ access_status }) => access_status === TOO_MANY)
  for (let number = 1; wanted.length > 0 && number <= MAX_PAGES; number++) {
    const checkIns = await page(number)
    if (checkIns.length === 0) break
    for (const { sequence, accesspoint_id, guest_uid } of wanted) {
      const entry = checkIns.find(
        (each) => each.access_status === 0 && each.guest_uid === guest_uid && each.accesspoint_id === accesspoint_id,
      )
      if (entry) entries.set(sequence, { stamp: entry.access_stamp, point: names.get(accesspoint_id) ?? '' })
    }
    wanted = wanted.filter(({ sequence }) => !entries.has(sequence))
  }
  return entries
}
