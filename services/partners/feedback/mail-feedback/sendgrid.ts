import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { ConfigurationError } from '@gatehouse/proto/process/config.ts'
import { invitationOfMessage } from '../mail-events/message-ids.ts'
import type { FeedbackEvent } from '../mail-events/recording.ts'
import { type Adapter, eventOf, type FeedbackReport, type Json, jsonOf, objectOf, textOf } from './report.ts'

/** SendGrid tries for a day. Events that are replayed within it count once, like all. */
const MAX_AGE_S = 90_000
/** A clock may be ahead. */
const MAX_AHEAD_S = 300

/** Reasons of dropped e-mails for which SendGrid would drop the next one to the address too. */
const ON_A_LIST = ['Bounced Address', 'Invalid', 'Spam Reporting Address']

/** Events of SendGrid's event webhook, which signs time and body. */
export function sendgridAdapter(key: string): Adapter {
  const publicKey = keyOf(key)
  return ({ headers, body }) => {
    const timestamp = headers.get('x-twilio-email-event-webhook-timestamp') ?? ''
    const signature = Buffer.from(headers.get('x-twilio-email-event-webhook-signature') ?? '', 'base64')
    const isSigned = verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), publicKey, signature)
    const age = Date.now() / 1_000 - Number(timestamp)
    if (!isSigned || !/^\d+$/.test(timestamp) || age > MAX_AGE_S || age < -MAX_AHEAD_S) throw new Fault('unauthorized')
    const said = jsonOf(body)
    return (Array.isArray(said) ? said : [said]).map(objectOf).flatMap(reportOf)
  }
}

function keyOf(base64: string): KeyObject {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Said below.
  }
  throw new ConfigurationError('MAIL_EVENTS_SENDGRID_VERIFICATION is not a verification key of SendGrid')
}

function reportOf(said: Json): FeedbackReport[] {
  const event = readEvent(said)
  // `invitation_id` is an argument that the mail service adds for SendGrid: not all of its events name the Message-ID.
  const invitation_id = textOf(said.invitation_id) || invitationOfMessage(textOf(said['smtp-id']))
  return event ? [{ invitation_id, event }] : []
}

function readEvent(said: Json): FeedbackEvent | undefined {
  const { timestamp: at, reason } = said
  switch (said.event) {
    case 'bounce':
      return eventOf('bounced', { isHard: said.type !== 'blocked' && said.type !== 'expired', reason, at })
    case 'dropped':
      if (reason === 'Unsubscribed Address') return eventOf('unsubscribed', { at })
      return eventOf('bounced', { isHard: ON_A_LIST.includes(textOf(reason)), reason, at })
    case 'spamreport':
      return eventOf('complained', { at })
    case 'unsubscribe':
    case 'group_unsubscribe':
      return eventOf('unsubscribed', { at })
    case 'delivered':
      return eventOf('delivered', { at })
    case 'open':
      // A mail program that loads all pictures has the e-mail, but nobody has opened it.
      return eventOf(said.sg_machine_open === true ? 'delivered' : 'opened', { at })
    default:
      return undefined
  }
}
