import { record } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { webRequestFields, webResponse } from '@gatehouse/proto/pages/exchange.ts'

/** The pages to which e-mails of invitations link, below `/rsvp/<invitation>/<secret>`. */
export const invitationPages = resource('partners.invitation_pages', 'exchange', {
  handle: { summary: 'Answers an HTTP request below `/rsvp`', body: record(webRequestFields), reply: webResponse },
})
