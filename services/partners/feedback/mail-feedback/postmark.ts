import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import type { FeedbackEvent } from '../mail-events/recording.ts'
import { type Adapter, eventOf, type Json, jsonOf, objectOf, textOf } from './report.ts'

/** Types of bounces after which Postmark sends nothing more to the address. */
const HARD = ['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated']
const SPAM = ['SpamComplaint']

/** Events of Postmark's webhooks, which send a login that was chosen for them. */
export function postmarkAdapter(login: string): Adapter {
  return ({ headers, body }) => {
    const given = /^Basic +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
    if (!isSameSecret(Buffer.from(given, 'base64').toString(), login)) throw new Fault('unauthorized')
    const said = objectOf(jsonOf(body))
    const event = readEvent(said)
    // What the mail service adds for Postmark, which shows no Message-ID. It comes from a header, whose case may change under way.
    const metadata = Object.entries(objectOf(said.Metadata))
    const [, id] = metadata.find(([name]) => name.toLowerCase() === 'invitation_id') ?? []
    return event ? [{ invitation_id: textOf(id) || undefined, event }] : []
  }
}

function readEvent(said: Json): FeedbackEvent | undefined {
  const { RecordType, Type } = said
  if (RecordType === 'SpamComplaint' || (RecordType === 'Bounce' && SPAM.includes(textOf(Type))))
    return eventOf('complained', { at: said.BouncedAt })
  switch (RecordType) {
    case 'Bounce': {
      if (Type === 'Unsubscribe') return eventOf('unsubscribed', { at: said.BouncedAt })
      // An answer of a person or of their autoresponder.
      if (Type === 'AutoResponder' || Type === 'Subscribe') return undefined
      const reason = textOf(said.Details) || textOf(said.Description)
      return eventOf('bounced', { isHard: HARD.includes(textOf(Type)), reason, at: said.BouncedAt })
    }
    case 'SubscriptionChange':
      // Bounces and complaints have records of their own.
      if (said.SuppressSending !== true || said.SuppressionReason !== 'ManualSuppression') return undefined
      return eventOf('unsubscribed', { at: said.ChangedAt })
    case 'Delivery':
      return eventOf('delivered', { at: said.DeliveredAt })
    case 'Open':
      return eventOf('opened', { at: said.ReceivedAt })
    default:
      return undefined
  }
}
