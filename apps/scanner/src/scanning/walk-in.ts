import type { StoredScan, WalkIn } from './scan.ts'

/** A walk-in as the API takes it. */
export function walkInBody(
  { guest_uid, name, accesspoint_id, access_stamp }: StoredScan,
  { guest_category_id, persons }: WalkIn,
) {
  return { uid: guest_uid ?? '', last_name: name, guest_category_id, accesspoint_id, persons, access_stamp }
}
