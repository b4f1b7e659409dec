import { type ScanOutcome, signalOf } from '../scanning/outcome.ts'
import type { StoredScan } from '../scanning/scan.ts'
import type { ScannerSay } from '../texts/say.ts'
import { timeOf } from './time.ts'

/** The refusals that have words of their own. */
const TIMES = new Set<string | null | undefined>(['too_early', 'too_late'])

/** What an outcome is called. */
export function wordOf(outcome: ScanOutcome, say: ScannerSay): string {
  const { kind, scan } = outcome
  if (kind === 'unread' || kind === 'full') return say(kind)
  const signal = signalOf(outcome)
  const reason = scan?.reason
  return signal === 'not_authorized' && isTime(reason) ? say(reason) : say(signal)
}

/** What explains an outcome, in sentences. `pointName` gives the name of a check-in point, if it is known. */
export function factsOf(
  outcome: ScanOutcome,
  say: ScannerSay,
  pointName: (accesspoint_id: string) => string | undefined,
): string[] {
  const { kind, problem, status, isConfirmed, scan } = outcome
  if (kind === 'unread' || kind === 'full') return [say(`${kind}_text`)]
  const signal = signalOf(outcome)
  const party = scan && partyOf(scan, say)
  const isAlone = kind === 'decided' && status !== 0 && !isConfirmed
  const text = problem ?? (signal === 'granted' || signal === 'problem' ? '' : refusalText(outcome, say, pointName))
  return [party, text, isAlone && say('refused_alone')].filter(
    (each) => typeof each === 'string' && each !== '',
  ) as string[]
}

/** How many of a party are in; undefined for a guest alone. */
export function partyOf({ party_size = 1, persons_left }: StoredScan, say: ScannerSay): string | undefined {
  if (party_size <= 1) return undefined
  // More than once the party may enter: then what is left says nothing of who is in.
  if (persons_left == null || persons_left > party_size) return say('party_of', { size: party_size })
  return say('party', { in: party_size - persons_left, size: party_size })
}

function refusalText(
  outcome: ScanOutcome,
  say: ScannerSay,
  pointName: (accesspoint_id: string) => string | undefined,
): string {
  const { reason, opens_at, granted_before } = outcome.scan ?? {}
  const signal = signalOf(outcome)
  if (signal === 'too_many' && granted_before) {
    const time = timeOf(granted_before.access_stamp)
    const point = pointName(granted_before.accesspoint_id)
    return point ? say('in_before', { time, point }) : say('in_before_at', { time })
  }
  if (signal === 'not_authorized' && reason === 'too_early' && opens_at) return say('opens', { time: timeOf(opens_at) })
  if (signal === 'not_authorized' && isTime(reason)) return say(`${reason}_text`)
  return signal === 'granted' || signal === 'problem' ? '' : say(`${signal}_text`)
}

function isTime(reason: string | null | undefined): reason is 'too_early' | 'too_late' {
  return TIMES.has(reason)
}
