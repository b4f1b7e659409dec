import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import { invitationOfMessage, invitationOfReturnPath } from '../mail-events/message-ids.ts'
import { readFeedback } from './arf.ts'
import { isOfServer, isReturned, readBounceMessage, returnedIn } from './bounce-messages.ts'
import { readDelivery } from './dsn.ts'
import { fieldOf, fieldsIn, type Header, type ReadMail, readHeader, readMail, textOfPart } from './mails.ts'
import { type Outcome, outcomeFor } from './outcomes.ts'
import type { Adapter, FeedbackReport } from './report.ts'

const DELIVERY = ['message/delivery-status', 'message/global-delivery-status']
const FEEDBACK = ['message/feedback-report']
const RETURNED = [
  'message/rfc822',
  'message/rfc822-headers',
  'text/rfc822-headers',
  'message/global',
  'message/global-headers',
]
/** Headers in which mail servers write the address that an e-mail was for. */
const ADDRESSED = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'apparently-to']
/** Characters of a field in which an address is looked for. */
const MAX_FIELD = 2_000
const MAX_DATE = 100

/**
 * E-mails that a mail server posts as they come: returned ones, by a report (RFC 3464) or by a bounce message, and complaints that mailbox
 * providers send (RFC 5965). Whatever is neither, such as an automatic reply, is ignored.
 */
export function mailServerAdapter(secret: string): Adapter {
  return ({ headers, recipient, body }) => {
    const given = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
    if (!isSameSecret(given, secret)) throw new Fault('unauthorized')
    const mail = readMail(body)
    const messageText = messageTextIn(mail)
    const returned = returnedHeader(mail, messageText)
    const report = complaintIn(mail) ?? bounceIn(mail, messageText, returned)
    if (!report) return []
    // A plus sign in a query stands for a blank unless it is encoded.
    const envelope = (recipient ?? '').replace(' ', '+')
    const addressed = ADDRESSED.flatMap((name) => mail.header.get(name) ?? [])
    const named = [envelope, ...addressed, report.named].map((each) => each.slice(0, MAX_FIELD))
    const found = named.map(invitationOfReturnPath).find((each) => each !== undefined)
    return [{ invitation_id: found ?? invitationOf(returned), event: report.event }]
  }
}

interface MailReport {
  /** An address of the report that may name the invitation. */
  named: string
  event: FeedbackReport['event']
}

function complaintIn(mail: ReadMail): MailReport | undefined {
  if (!/^multipart\/report\b/i.test(fieldOf(mail.header, 'content-type'))) return undefined
  const text = textOfPart(mail, FEEDBACK)
  if (text === undefined) return undefined
  const fields = fieldsIn(text)
  const event = readFeedback(fields, fieldOf(mail.header, 'date').slice(0, MAX_DATE))
  return event && { named: fields.get('original-mail-from') ?? '', event }
}

function bounceIn(mail: ReadMail, messageText: string, returned: Header): MailReport | undefined {
  const outcomes = outcomesIn(mail, messageText)
  if (outcomes.length === 0) return undefined
  const addressees = [fieldOf(returned, 'to'), fieldOf(mail.header, 'x-failed-recipients')].flatMap(addressesIn)
  return { named: '', event: (invited) => outcomeFor(outcomes, invited, addressees) }
}

/** What a report or a text says of each recipient. A text comes without a report, or explains one. */
function outcomesIn(mail: ReadMail, messageText: string): Outcome[] {
  const report = textOfPart(mail, DELIVERY) ?? reportWithin(mail, messageText)
  if (report === undefined)
    return isReturned(mail.header, messageText) ? readBounceMessage(mail.header, messageText) : []
  const at = fieldOf(mail.header, 'date').slice(0, MAX_DATE)
  return readDelivery(report, at, messageText)
}

/** The text if it holds the fields of a report, since a server on its way took the report apart. */
function reportWithin({ header }: ReadMail, messageText: string): string | undefined {
  const isReport = isOfServer(header) && /^final-recipient *:/im.test(messageText) && /^action *:/im.test(messageText)
  return isReport ? messageText : undefined
}

/** What an e-mail says to people. */
function messageTextIn(mail: ReadMail): string {
  return textOfPart(mail, ['text/plain']) ?? (textOfPart(mail, ['text/html']) ?? '').replaceAll(/<[^<>]*>/g, ' ')
}

/** The header of the e-mail that is returned, in a part of its own or at the end of the text. */
function returnedHeader(mail: ReadMail, messageText: string): Header {
  return readHeader(textOfPart(mail, RETURNED) ?? returnedIn(messageText))
}

/** The invitation whose e-mail has a header. */
function invitationOf(header: Header): string | undefined {
  const value = (name: string) => fieldOf(header, name).slice(0, MAX_FIELD)
  return invitationOfMessage(value('message-id')) ?? invitationOfReturnPath(value('return-path'))
}

function addressesIn(field: string): string[] {
  return field.slice(0, MAX_FIELD).match(/[^\s;<>(),"]{1,64}@[^\s;<>(),"]{1,255}/g) ?? []
}
