import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import {
  choice,
  datetime,
  flag,
  identifier,
  list,
  optionalIdentifier,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { linkShape } from '../links/resource.ts'

const fields = {
  name: text(),
  area_id: optionalIdentifier({ description: 'The area that guests enter or leave here; null: the event as a whole' }),
  direction: choice(['in', 'out'], { default: 'in', description: 'Whether guests come in or go out here' }),
  signature_enabled: flag({
    default: false,
    description: 'Whether the scanner offers a signature after each guest who is let in here',
  }),
}

const accesspoint = record({
  _id: identifier(),
  ...fields,
  event_id: identifier(),
  guest_category_accesspoints: list(linkShape, 'guest_category_accesspoint', {
    description: 'The guest categories that may enter; output only',
  }),
  created_at: datetime(),
  updated_at: datetime(),
})

/** Check-in points: places or activities where guests are checked in. */
export const accesspoints = resource('checkin.accesspoints', 'accesspoint', {
  list: {
    route: 'GET events/:event_id/accesspoints',
    scope: 'door',
    summary: 'Check-in points of an event',
    reply: list(accesspoint, 'accesspoint'),
  },
  read: {
    route: 'GET events/:event_id/accesspoints/:id',
    scope: 'door',
    summary: 'One check-in point',
    reply: accesspoint,
  },
  create: {
    route: 'POST events/:event_id/accesspoints',
    role: 'door_manager',
    summary: 'Create a check-in point',
    checks: true,
    body: record(fields),
    reply: accesspoint,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/accesspoints/:id',
    role: 'door_manager',
    summary: 'Change fields of a check-in point',
    checks: true,
    body: subset(fields),
    reply: accesspoint,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/accesspoints/:id',
    role: 'door_manager',
    summary: 'Delete a check-in point and its links; its check-ins stay',
    reply: accesspoint,
    status: 204,
  },
  adopt: adoption('accesspoint', fields),
  disown: disowning('accesspoint'),
  copy: {
    summary: 'Copies areas and check-in points into an event that was created at a time; again, it changes nothing',
    long: true,
    body: record({ from_event_id: identifier(), event_id: identifier(), at: datetime() }),
    reply: record({ ids: list(identifier(), 'id', { description: 'Of the check-in points that were copied' }) }),
  },
  known: {
    summary: 'Those of the given ids that are check-in points of the event',
    reads: true,
    body: record({ event_id: identifier(), ids: list(identifier(), 'id') }),
    reply: record({ ids: list(identifier(), 'id') }),
  },
})
