import { datetime, identifier, list, record, subset, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

const fields = { name: text() }

const invitationType = record({
  _id: identifier(),
  ...fields,
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** An invitation type as it goes out. */
export type InvitationType = Static<typeof invitationType>

/** Invitation types: the invitations which partners may send (guided tour, evening). */
export const invitationTypes = resource('partners.invitation_types', 'invitation_type', {
  list: {
    route: 'GET events/:event_id/invitation_types',
    scope: 'read',
    summary: 'Invitation types of an event',
    reply: list(invitationType, 'invitation_type'),
  },
  read: {
    route: 'GET events/:event_id/invitation_types/:id',
    scope: 'read',
    summary: 'One invitation type',
    reply: invitationType,
  },
  create: {
    route: 'POST events/:event_id/invitation_types',
    summary: 'Create an invitation type',
    body: record(fields),
    reply: invitationType,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/invitation_types/:id',
    summary: 'Rename an invitation type',
    body: subset(fields),
    reply: invitationType,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/invitation_types/:id',
    summary: 'Delete an invitation type; 409 while it has partner campaigns',
    reply: invitationType,
    status: 204,
  },
})
