import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import type { FeedbackEvent } from '../mail-events/recording.ts'

/** What a report says of one recipient. */
export interface Outcome {
  /** The recipient's addresses, as the report spells them: the one that was given, and the one that it led to. */
  addresses: readonly string[]
  event: FeedbackEvent
}

/**
 * What a report says of an e-mail to an address. Where it does not name that, since the e-mail was forwarded, it is what it says of the
 * recipients whom the e-mail itself names, or else of all: a bounce is hard only if each of them is one.
 */
export function outcomeFor(
  outcomes: readonly Outcome[],
  invited: string,
  addressees: readonly string[],
): FeedbackEvent | undefined {
  const own = naming(outcomes, [invited])
  if (own.length > 0) return gravest(own)
  const named = naming(outcomes, addressees)
  const others = named.length > 0 ? named : outcomes
  const most = gravest(others)
  const isShared = others.every(({ event: { type, isHard } }) => type === most?.type && isHard === most.isHard)
  return most && { ...most, isHard: most.isHard && isShared }
}

function naming(outcomes: readonly Outcome[], addresses: readonly string[]): Outcome[] {
  const known = new Set(addresses.map(comparable))
  return outcomes.filter((each) => each.addresses.some((address) => known.has(comparable(address))))
}

/** Of several events of the same recipient the one that says most. */
function gravest(outcomes: readonly Outcome[]): FeedbackEvent | undefined {
  const severityOf = ({ type, isHard }: FeedbackEvent) => (type === 'bounced' ? (isHard ? 2 : 1) : 0)
  return outcomes.map(({ event }) => event).toSorted((one, other) => severityOf(other) - severityOf(one))[0]
}

function comparable(address: string): string {
  return normalized(address) ?? address.toLowerCase()
}
