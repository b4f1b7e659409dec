import { Fault, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Dependencies } from '../../dependencies.ts'
import { NO_INVITATION } from '../invitations/links.ts'
import type { SendResult } from '../sending/resource.ts'

/** Returns whose values examples have, with links that lead nowhere. */
export function exampleRecipient({ links }: Pick<Dependencies, 'links'>, event_id: string) {
  return {
    ...{ first_name: 'Ada', last_name: 'Lovelace', partner_name: 'Example partner' },
    link: links.of(event_id, NO_INVITATION),
    unsubscribe_link: links.ofUnsubscribing(event_id, NO_INVITATION),
  }
}

/** Seconds until a mail server that is away is asked again. */
const RETRY_SECONDS = 60

/** Throws unless the mail server took an e-mail for which a client waits: `invalid` if it refused it, else `unavailable`. */
export function requireSent({ outcome, reason }: Pick<SendResult, 'outcome' | 'reason'>): void {
  if (outcome === 'sent') return
  if (outcome === 'rejected') throw invalid({ email: [messageOf('refused', { reason: reason ?? '' })] })
  const message =
    outcome === 'later'
      ? `The mail server does not take it now: ${reason}`
      : `The mail server may have taken it, but did not say so: ${reason}`
  throw new Fault('unavailable', message, undefined, RETRY_SECONDS)
}
