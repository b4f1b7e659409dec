import { timeOf } from '../../../shared/src/view/time.ts'
import { type ScanOutcome, signalOf } from '../scanning/outcome.ts'
import type { StoredScan } from '../scanning/scan.ts'
import { problemWords } from '../server/problems.ts'
import type { ScannerSay } from '../texts/say.ts'

/** The refusals that have words of their own. */
const TIMES = new Set<string | null | undefined>(['too_early', 'too_late'])

/** What an outcome is called. */
export function wordOf(outcome: ScanOutcome, say: ScannerSay): string {
  const { kind, scan } = outcome
  if (kind === 'unread' || kind === 'full') return say(kind)
  const signal = signalOf(outcome)
  if (signal === 'party') return say('how_many')
  if (scan?.direction === 'out' && (signal === 'granted' || signal === 'unconfirmed')) return say('goes_out')
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
  const party = partyFacts(scan ?? outcome.party ?? {}, say)
  if (signal === 'party') return party
  const isAlone = kind === 'decided' && status !== 0 && !isConfirmed
  const words = problem === null ? undefined : problemWords(say, problem)
  const text = words ?? (signal === 'granted' || signal === 'problem' ? '' : refusalText(outcome, say, pointName))
  return [...party, text, isAlone && say('refused_alone')].filter(
    (each) => typeof each === 'string' && each !== '',
  ) as string[]
}

/** The size of a party, and how many persons may still enter, if that is known; nothing for a guest alone. */
function partyFacts(
  { party_size = 1, persons_left }: Pick<StoredScan, 'party_size' | 'persons_left'>,
  say: ScannerSay,
): string[] {
  if (party_size <= 1) return []
  const size = say('party_of', { size: party_size })
  // Who is in does not follow from this: the point may allow several entries each, and the party may have changed.
  return persons_left == null ? [size] : [size, say('party_left', { left: persons_left })]
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
  return signal === 'granted' || signal === 'problem' || signal === 'party' ? '' : say(`${signal}_text`)
}

function isTime(reason: string | null | undefined): reason is 'too_early' | 'too_late' {
  return TIMES.has(reason)
}
