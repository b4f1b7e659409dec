import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { mayUsePoint } from '../accesspoints/device-points.ts'
import type { Dependencies } from '../dependencies.ts'
import { type ReportedScan, type scanTimes, WINDOW_MINUTES } from './resource.ts'
import { SLOW_MS, stepOf } from './steps.ts'
import type { Increment } from './store.ts'

type Report = (typeof scanTimes)['actions']['report']

/** Counts the times that a device has seen, as far as they are of its check-in points and of the window. */
export async function report(
  { scanTimes, accesspoints }: Dependencies,
  { params: { event_id }, body, caller }: Call<Report>,
): Promise<Output<Report>> {
  const { token_id, role } = required(caller)
  const points = new Set(body.scans.map(({ accesspoint_id }) => accesspoint_id))
  const known = new Set(await accesspoints.known(event_id, [...points]))
  const counted = body.scans.filter(
    ({ accesspoint_id, ago_ms }) =>
      known.has(accesspoint_id) && mayUsePoint(caller, accesspoint_id) && ago_ms <= WINDOW_MINUTES * 60_000,
  )
  // Tokens do not count each other's reports.
  const report_key = `${token_id}:${body.report_key}`
  const holder = role ? undefined : token_id
  await scanTimes.add(
    event_id,
    report_key,
    counted.flatMap((scan) => incrementsOf(scan, holder)),
  )
  return { count: counted.length }
}

function incrementsOf(scan: ReportedScan, token_id: string | undefined): Increment[] {
  const { accesspoint_id, ago_ms, waited_ms = null, gatehouse_ms = null } = scan
  const one = { accesspoint_id, token_id, ago_ms, count: 1 }
  if (waited_ms === null) return [{ ...one, counted: 'alone' }]
  const time = { step: stepOf(waited_ms), worst_ms: waited_ms, is_answered: gatehouse_ms !== null }
  // Without an answer nobody knows who was slow.
  const isOfNetwork = waited_ms > SLOW_MS && gatehouse_ms !== null && waited_ms - gatehouse_ms > gatehouse_ms
  return [{ ...one, counted: 'device', time }, ...(isOfNetwork ? [{ ...one, counted: 'network' as const }] : [])]
}
