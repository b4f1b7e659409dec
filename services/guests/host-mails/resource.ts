import { identifier, integer, list, maybe, optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

const key = {
  event_id: identifier(),
  _id: identifier({ description: 'Of the guest' }),
}

const claimed = record({
  ...key,
  claim: text({ description: 'Made by the caller for this attempt: who repeats it gets the same answer' }),
})

const mail = record({
  to: text(),
  subject: text({ maxLength: 10_000 }),
  text: text({ maxLength: 100_000 }),
  from_name: text(),
  html: maybe(text({ maxLength: 100_000 })),
  reply_to: maybe(optionalText()),
})

/** The e-mail that tells a host that a guest has arrived. */
export type HostMail = Static<typeof mail>

/** How the mail service gets the e-mails that tell hosts that their guests have arrived. */
export const hostMails = resource('guests.host_mails', 'host_mail', {
  due: {
    summary: 'Guests of all events whose hosts are to be written to, oldest first',
    reads: true,
    body: record({ limit: integer({ minimum: 1, maximum: 20 }) }),
    reply: list(record(key), 'guest'),
  },
  begin: {
    summary: 'Begins the e-mail to the host of a guest, once and for all. Without `mail` there is none to be sent',
    body: claimed,
    reply: record({ mail: maybe(mail) }),
  },
  postpone: {
    summary: 'Makes an e-mail due again, in a minute, which the mail server surely has not taken',
    body: claimed,
    reply: record({}),
  },
})
