import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Sums } from '../counting/sums.ts'
import type { checkIns } from './resource.ts'

const STATUSES = [0, 1, 2, 3]

/** The statistics of an event as other services see them. */
export function statisticsOf(
  { totals, timeline, guests, guestsAt, byCategory }: Sums,
  signature_count: number,
): Output<typeof checkIns.actions.statistics> {
  const points = [...totals.points].filter(([, byStatus]) => total(byStatus) > 0)
  return {
    check_in_count: totals.count,
    signature_count,
    checked_in_guest_count: guests,
    by_status: STATUSES.map((access_status) => ({
      access_status,
      count: total(points.map(([, byStatus]) => byStatus[access_status] ?? 0)),
    })),
    by_accesspoint: points.map(([accesspoint_id, byStatus]) => {
      const granted = byStatus[ACCESS_GRANTED] ?? 0
      const unique_guests = guestsAt.get(accesspoint_id) ?? 0
      return { accesspoint_id, granted, refused: total(byStatus) - granted, unique_guests }
    }),
    timeline,
    checked_in_by_category: byCategory,
  }
}

function total(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
