import type { paths } from '../../../../clients/typescript/openapi.ts'

export const SCAN_TIMES = '/api/v1/events/{event_id}/scan_times.json'

type ScanTimes = paths[typeof SCAN_TIMES]['get']['responses'][200]['content']['application/json']

/** How long scans took at a check-in point or on a device. */
export type Waits = Omit<ScanTimes['by_accesspoint'][number], 'accesspoint_id'>

/** Who makes people wait. `unknown`: Gatehouse does not, and the network may. `few`: there were too few scans to tell. */
export type Verdict = 'gatehouse' | 'network' | 'fine' | 'unknown' | 'few'

/** From so many scans on a verdict is given: of fewer, one alone is more than one of twenty. */
const ENOUGH = 20

/** What takes longer is slow. */
const SLOW_MS = 1_000

/**
 * Returns who makes people wait. Gatehouse does if it is slow in more than one scan of twenty or leaves some without an answer. Otherwise
 * the network does, where devices wait that long, get no answer, or do not ask any more since none came in time; that is unknown as long as
 * they have reported few scans.
 */
export function verdictOf({ in_gatehouse, at_device }: Waits): Verdict {
  const isKnown = in_gatehouse.scan_count >= ENOUGH
  if (isKnown && isSlow(in_gatehouse)) return 'gatehouse'
  if (at_device.scan_count + at_device.alone_count < ENOUGH) return isKnown ? 'unknown' : 'few'
  return isSlow(at_device) || at_device.alone_count > 0 ? 'network' : 'fine'
}

function isSlow({ p95_ms, unanswered_count }: Pick<Waits['in_gatehouse'], 'p95_ms' | 'unanswered_count'>): boolean {
  return (p95_ms ?? 0) > SLOW_MS || unanswered_count > 0
}
