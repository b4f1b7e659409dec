import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { invitationOfMessage, invitationOfReturnPath } from '../mail-events/message-ids.ts'
import { type Adapter, eventOf, isSecret, type ProviderCall, type Report } from './report.ts'

/** A report stands before the e-mail which it returns. Reading what follows would take seconds if a stranger made it of very many lines. */
const READ_BYTES = 64 * 1024
/** Delivery reports say little, and returned e-mails are not read: deeper or longer ones are not reports. */
const LIMITS = { maxNestingDepth: 8, maxHeadersSize: 256 * 1024, rfc822Attachments: true, forceRfc822Attachments: true }
const RETURNED = ['message/rfc822', 'message/rfc822-headers', 'text/rfc822-headers', 'message/global']
const REPORTS = ['message/delivery-status', 'message/global-delivery-status']
/** Headers in which mail servers write the address that an e-mail was for. */
const ADDRESSED = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to']

/** Returned e-mails (RFC 3464), which a mail server posts as they are. Whatever is no delivery report, such as an automatic reply, is ignored. */
export function dsnAdapter(secret: string): Adapter {
  return async (call) => {
    const given = /^Bearer +(\S+)$/i.exec(call.headers.get('authorization') ?? '')?.[1] ?? ''
    if (!isSecret(given, secret)) throw new Fault('unauthorized')
    const email = await read(call.body.subarray(0, READ_BYTES))
    const type = email?.headers.find(({ key }) => key === 'content-type')?.value ?? ''
    const status = email?.attachments.find(({ mimeType }) => REPORTS.includes(mimeType))
    if (!email || !status || !/^multipart\/report\b/i.test(type)) return []
    const event = readEvent(textIn(status), email.date)
    return event ? [{ invitation_id: await invitationOf(call, email, textIn(status)), event }] : []
  }
}

/** A message; undefined if it can not be read, which another attempt would not change. */
async function read(bytes: Buffer | string): Promise<Email | undefined> {
  return PostalMime.parse(bytes, LIMITS).catch(() => undefined)
}

function textIn({ content }: Attachment): string {
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString()
}

function readEvent(status: string, at: string | undefined): Report['event'] | undefined {
  // The first group of fields is about the message, each other one about a recipient; an invitation has one.
  const fields = fieldsIn(status)
  const code = fields.get('status') ?? ''
  const reason = fields.get('diagnostic-code') || code
  switch (fields.get('action')?.toLowerCase()) {
    case 'failed':
      // 5 is a permanent failure (RFC 3463), but that of a full mailbox passes; 4 means that the mail server gave up.
      return eventOf('bounced', { isHard: code.startsWith('5') && code !== '5.2.2', reason, at })
    case 'delayed':
      return eventOf('bounced', { isHard: false, reason, at })
    case 'delivered':
    case 'relayed':
    case 'expanded':
      return eventOf('delivered', { at })
    default:
      return undefined
  }
}

/** The fields of a report by their names in lower case; of several the first. */
function fieldsIn(status: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of status.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([\w-]+):(.*)/.exec(line) ?? []
    const key = name?.toLowerCase()
    if (key !== undefined && !fields.has(key)) fields.set(key, (value ?? '').trim())
  }
  return fields
}

/** The invitation: by the address to which the report was sent, or by the headers of the returned e-mail. */
async function invitationOf(
  { recipient }: ProviderCall,
  { headers, attachments }: Email,
  status: string,
): Promise<string | undefined> {
  // A plus sign in a query stands for a blank unless it is encoded.
  const envelope = (recipient ?? '').replace(' ', '+')
  const addressed = headers.flatMap(({ key, value }) => (ADDRESSED.includes(key) ? [value] : []))
  for (const address of [envelope, ...addressed, fieldsIn(status).get('original-recipient') ?? '']) {
    const found = invitationOfReturnPath(address)
    if (found) return found
  }
  const returned = attachments.find(({ mimeType }) => RETURNED.includes(mimeType))
  const original = returned && (await read(`${textIn(returned)}\r\n\r\n`))
  const headerOf = (name: string) => original?.headers.find(({ key }) => key === name)?.value ?? ''
  return invitationOfMessage(headerOf('message-id')) ?? invitationOfReturnPath(headerOf('return-path'))
}
