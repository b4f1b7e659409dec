import {
  choice,
  datetime,
  email,
  flag,
  identifier,
  list,
  optionalDatetime,
  optionalIdentifier,
  optionalText,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource, roles as roleNames } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

/** How long a link is good, in hours. */
export const LINK_HOURS = 24

const changeable = {
  name: optionalText({ description: 'That of the contact with this e-mail address' }),
  role: choice(roleNames, {
    example: 'door_manager',
    description:
      'owner: everything; organizer: all but staff members, tokens, apps, the account and secrets; door_manager: the door, devices and check-in points; viewer: reads, without exports',
  }),
  event_id: optionalIdentifier({
    description: 'The only event that a door manager or viewer may see; any of the account when null',
  }),
}

const fields = {
  email: email({
    example: 'hedy@example.org',
    description: 'Of a contact of the account, who is made if there is none',
  }),
  ...changeable,
}

const staffMember = record({
  _id: identifier(),
  ...fields,
  email: text(),
  last_signed_in_at: optionalDatetime({
    description: 'Null until the person has used the link, before which the role does not count',
  }),
  created_at: datetime(),
  updated_at: datetime(),
})

const withLink = record({
  ...staffMember.properties,
  sign_in_url: text({
    maxLength: 2_100,
    example: 'https://tickets.example.org/console/welcome/3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    description: `Where the person chooses a password and is signed in, once within ${LINK_HOURS} hours; shown this once`,
  }),
})

/** A staff member as it goes out. */
export type StaffMember = Static<typeof staffMember>

/** Staff members of an account: contacts who use the console, each with a role. */
export const staffMembers = resource('sso.staff_members', 'staff_member', {
  list: {
    route: 'GET staff_members',
    role: 'owner',
    summary: 'Staff members of the account, in the order of their creation',
    reply: list(staffMember, 'staff_member'),
  },
  read: { route: 'GET staff_members/:id', role: 'owner', summary: 'One staff member', reply: staffMember },
  create: {
    route: 'POST staff_members',
    role: 'owner',
    summary:
      'Invite a staff member, by e-mail too where a mail server is set; `sign_in_url` is shown this once. 422 where the account has as many as it may',
    checks: true,
    body: record(fields),
    reply: withLink,
    status: 201,
  },
  update: {
    route: 'PUT staff_members/:id',
    role: 'owner',
    summary:
      'Change the name, role or event of a staff member, at once; 409 for the role of the last owner who has joined',
    checks: true,
    body: subset(changeable),
    reply: staffMember,
    status: 204,
  },
  delete: {
    route: 'DELETE staff_members/:id',
    role: 'owner',
    summary:
      'Delete a staff member, whose sessions end at once; the contact stays. 409 for the last owner who has joined',
    reply: staffMember,
    status: 204,
  },
  roll_link: {
    route: 'POST staff_members/:id/roll_link',
    role: 'owner',
    summary: 'Make another link for a staff member, shown this once; the one before is void',
    reply: withLink,
  },
  first_owner: {
    summary:
      'Whether no owner has joined any account, and of which one, which may be new, that would be: null where there are several',
    reads: true,
    reply: record({ is_missing: flag(), account: optionalText() }),
  },
  first_link: {
    summary:
      'A link for the first owner of an account, which is made if there is none; null where an owner has joined already',
    body: record({ account: text({ description: 'Its slug' }) }),
    reply: record({ sign_in_url: optionalText({ maxLength: 2_100 }) }),
  },
})
