import { LONGEST_MS } from '@gatehouse/mail/resources'
import { email, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { typed } from '../mailings/resource.ts'

/** E-mails of invitation types with example values, which organizers send to see them. */
export const testSends = resource('partners.test_sends', 'test_send', {
  send: {
    route: 'POST events/:event_id/invitation_types/:id/test_send',
    summary:
      "Send an invitation type's e-mail with example values to an address, as it is stored or as it is typed, up to 20 an hour; 422 with what the mail server says if it refuses it, 503 if it does not answer",
    checks: true,
    body: record({ email: email(), ...typed }),
    reply: record({ email: email(), subject: text({ maxLength: 10_000 }) }),
    longestMs: LONGEST_MS + 5_000,
  },
})
