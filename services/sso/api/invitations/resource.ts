import {
  choice,
  datetime,
  identifier,
  list,
  maybe,
  optionalText,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

const invitation = record({ contact_id: identifier(), created_at: datetime(), expires_at: datetime() })

/** Invitations of contacts to choose a password. A contact has one at a time. */
export const invitations = resource('sso.invitations', 'invitation', {
  list: {
    route: 'GET contacts/:contact_id/invitations',
    summary: 'The open invitation of a contact; none when it was used or has expired',
    reply: list(invitation, 'invitation'),
  },
  create: {
    route: 'POST contacts/:contact_id/invitations',
    summary: 'Invite a contact to choose a password, within a week; an earlier invitation is void then',
    checks: true,
    body: record({
      delivery: choice(['email', 'link'], {
        default: 'email',
        description: 'email: sent to the contact; link: the answer holds the address of the page, shown this once',
      }),
      locale: optionalText({ description: 'Language of the e-mail; that of the account where it is not given' }),
    }),
    reply: record({
      ...invitation.properties,
      delivery: choice(['email', 'link']),
      url: maybe(text({ maxLength: 2_000, description: 'Only where the delivery is link' })),
    }),
    status: 201,
  },
})
