import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import type { Email } from 'postal-mime'
import { invitationOfMessage, invitationOfReturnPath } from '../mail-events/message-ids.ts'
import { readFeedback } from './arf.ts'
import { readDelivery } from './dsn.ts'
import { fieldsIn, partOf, readMail } from './mails.ts'
import type { Adapter, ProviderCall } from './report.ts'

/** A report stands before the e-mail which it returns. Reading what follows would take seconds if a stranger made it of very many lines. */
const READ_BYTES = 64 * 1024
/** The kinds of reports: the types of their part for machines, and its field whose address may name the invitation. */
const KINDS = [
  {
    types: ['message/delivery-status', 'message/global-delivery-status'],
    naming: 'original-recipient',
    read: readDelivery,
  },
  { types: ['message/feedback-report'], naming: 'original-mail-from', read: readFeedback },
]
const RETURNED = ['message/rfc822', 'message/rfc822-headers', 'text/rfc822-headers', 'message/global']
/** Headers in which mail servers write the address that an e-mail was for. */
const ADDRESSED = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to']

/**
 * Reports about e-mails, which a mail server posts as they come: returned e-mails (RFC 3464), and complaints which mailbox providers send (RFC 5965).
 * Whatever is no report, such as an automatic reply, is ignored.
 */
export function mailServerAdapter(secret: string): Adapter {
  return async (call) => {
    const given = /^Bearer +(\S+)$/i.exec(call.headers.get('authorization') ?? '')?.[1] ?? ''
    if (!isSameSecret(given, secret)) throw new Fault('unauthorized')
    const email = await readMail(call.body.subarray(0, READ_BYTES))
    const type = email?.headers.find(({ key }) => key === 'content-type')?.value ?? ''
    if (!email || !/^multipart\/report\b/i.test(type)) return []
    for (const { types, naming, read } of KINDS) {
      const part = partOf(email, types)
      if (part === undefined) continue
      const fields = fieldsIn(part)
      const event = read(fields, email.date)
      return event ? [{ invitation_id: await invitationOf(call, email, fields.get(naming) ?? ''), event }] : []
    }
    return []
  }
}

/** The invitation: by the address to which the report was sent or which the report names, or by the headers of the returned e-mail. */
async function invitationOf({ recipient }: ProviderCall, email: Email, named: string): Promise<string | undefined> {
  // A plus sign in a query stands for a blank unless it is encoded.
  const envelope = (recipient ?? '').replace(' ', '+')
  const addressed = email.headers.flatMap(({ key, value }) => (ADDRESSED.includes(key) ? [value] : []))
  for (const address of [envelope, ...addressed, named]) {
    const found = invitationOfReturnPath(address)
    if (found) return found
  }
  const returned = partOf(email, RETURNED)
  const original = returned === undefined ? undefined : await readMail(`${returned}\r\n\r\n`)
  const headerOf = (name: string) => original?.headers.find(({ key }) => key === name)?.value ?? ''
  return invitationOfMessage(headerOf('message-id')) ?? invitationOfReturnPath(headerOf('return-path'))
}
