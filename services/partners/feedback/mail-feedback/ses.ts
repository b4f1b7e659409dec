import { invitationOfMessage, invitationOfReturnPath } from '../mail-events/message-ids.ts'
import type { FeedbackEvent } from '../mail-events/recording.ts'
import {
  type Adapter,
  eventOf,
  type FeedbackReport,
  type Json,
  jsonOf,
  objectOf,
  requireFewValues,
  textOf,
} from './report.ts'
import { type FetchFunction, SnsTopic } from './sns.ts'

/** Bounces that SES makes up because the address is on its own list of those that bounced or complained. */
const ON_A_LIST = ['Suppressed', 'OnAccountSuppressionList']

/** Values of a message, of which nobody knows yet who sends it; those of the event in it, a text, count too. An event has hundreds. */
const MOST_VALUES = 10_000

/** Events of Amazon SES, by a topic of SNS: of an identity (`notificationType`) or of a configuration set (`eventType`). */
export function sesAdapter(topicArn: string, fetchFromAmazon: FetchFunction): Adapter {
  const topic = new SnsTopic(topicArn, fetchFromAmazon)
  return async ({ body }) => {
    requireFewValues(body, MOST_VALUES)
    const message = objectOf(jsonOf(body))
    await topic.check(message)
    if (message.Type === 'SubscriptionConfirmation') await topic.confirm(message)
    return message.Type === 'Notification' ? reportsOf(textOf(message.Message)) : []
  }
}

function reportsOf(text: string): FeedbackReport[] {
  // SES says in plain words that a topic was connected to it.
  if (!text.trimStart().startsWith('{')) return []
  const said = objectOf(jsonOf(text))
  const event = readEvent(said)
  return event ? [{ invitation_id: invitationOf(objectOf(said.mail)), event }] : []
}

function readEvent(said: Json): FeedbackEvent | undefined {
  switch (said.eventType ?? said.notificationType) {
    case 'Bounce': {
      const { bounceType, bounceSubType, bouncedRecipients, timestamp: at } = objectOf(said.bounce)
      const [recipient] = Array.isArray(bouncedRecipients) ? bouncedRecipients : []
      const { diagnosticCode, status } = objectOf(recipient)
      const reason = textOf(diagnosticCode) || textOf(status) || `${textOf(bounceType)} ${textOf(bounceSubType)}`
      return eventOf('bounced', { isHard: bounceType === 'Permanent', reason, at })
    }
    case 'Complaint': {
      const { complaintFeedbackType: kind, complaintSubType, timestamp: at } = objectOf(said.complaint)
      // The recipient found it in the spam folder and called it none.
      if (kind === 'not-spam') return undefined
      if (ON_A_LIST.includes(textOf(complaintSubType))) return eventOf('bounced', { reason: complaintSubType, at })
      return eventOf('complained', { reason: kind, at })
    }
    case 'Subscription':
      return eventOf('unsubscribed', { at: objectOf(said.subscription).timestamp })
    case 'Delivery':
      return eventOf('delivered', { at: objectOf(said.delivery).timestamp })
    case 'Open':
      return eventOf('opened', { at: objectOf(said.open).timestamp })
    default:
      return undefined
  }
}

/** The invitation, by the envelope's sender; without MAIL_RETURN_PATH by the Message-ID, if SES includes the original headers. */
function invitationOf({ source, commonHeaders, headers }: Json): string | undefined {
  const all = Array.isArray(headers) ? headers.map(objectOf) : []
  const original = all.find(({ name }) => textOf(name).toLowerCase() === 'message-id')
  return (
    invitationOfReturnPath(textOf(source)) ??
    invitationOfMessage(textOf(original?.value)) ??
    invitationOfMessage(textOf(objectOf(commonHeaders).messageId))
  )
}
