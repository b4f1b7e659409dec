import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { StoredArea } from '../areas/store.ts'
import type { Sums } from '../counting/sums.ts'
import type { Dependencies } from '../dependencies.ts'
import type { checkIns } from './resource.ts'

const STATUSES = [0, 1, 2, 3]

type Actions = (typeof checkIns)['actions']

/** Returns the check-ins and signatures stored of each event. */
export async function counts(
  { totals, signatures }: Dependencies,
  { body: { event_ids } }: Call<Actions['counts']>,
): Promise<Output<Actions['counts']>> {
  const [checkInCounts, signatureCounts] = await Promise.all([
    Promise.all(event_ids.map((event_id) => totals.count(event_id))),
    signatures.countByEvent(event_ids),
  ])
  return event_ids.map((event_id, index) => ({
    event_id,
    check_in_count: checkInCounts[index] as number,
    signature_count: signatureCounts.get(event_id) ?? 0,
  }))
}

/** Returns what an event's check-ins add up to. If the caller can wait, the door goes first. */
export async function statistics(
  { totals, signatures, areas }: Dependencies,
  event_id: string,
  canWait: boolean,
): Promise<Output<Actions['statistics']>> {
  const [sums, signatureCounts, ofEvent] = await Promise.all([
    totals.sums(event_id, canWait),
    signatures.countByEvent([event_id]),
    areas.ofEvent(event_id),
  ])
  return statisticsOf(sums, signatureCounts.get(event_id) ?? 0, ofEvent)
}

/** The statistics of an event as other services see them. */
export function statisticsOf(
  { totals, timeline, guests, persons, at, inside, byCategory }: Sums,
  signature_count: number,
  areas: Pick<StoredArea, '_id' | 'capacity'>[],
): Output<Actions['statistics']> {
  const points = [...totals.points].filter(([, byStatus]) => total(byStatus) > 0)
  return {
    check_in_count: totals.count,
    signature_count,
    checked_in_guest_count: guests,
    person_count: persons,
    inside_count: inside.get(null)?.inside ?? 0,
    by_area: areas.map(({ _id, capacity }) => ({
      area_id: _id,
      inside_count: inside.get(_id)?.inside ?? 0,
      capacity,
      peak_count: inside.get(_id)?.peak ?? 0,
    })),
    by_status: STATUSES.map((access_status) => ({
      access_status,
      count: total(points.map(([, byStatus]) => byStatus[access_status] ?? 0)),
    })),
    by_accesspoint: points.map(([accesspoint_id, byStatus]) => {
      const granted = byStatus[ACCESS_GRANTED] ?? 0
      const entered = at.get(accesspoint_id)
      const counts = { unique_guests: entered?.guests ?? 0, person_count: entered?.persons ?? 0 }
      return { accesspoint_id, granted, refused: total(byStatus) - granted, ...counts }
    }),
    timeline,
    checked_in_by_category: byCategory.map(({ guest_category_id, guests, persons }) => ({
      guest_category_id,
      count: guests,
      person_count: persons,
    })),
  }
}

function total(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
