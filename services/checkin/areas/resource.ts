import {
  datetime,
  identifier,
  integer,
  list,
  optionalInteger,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

const fields = {
  name: text(),
  capacity: optionalInteger({
    minimum: 0,
    maximum: 10_000_000,
    description: 'How many persons it has room for; null: not limited. Nobody is refused for it',
  }),
}

const area = record({
  _id: identifier(),
  ...fields,
  inside_count: integer({ description: 'Persons who came in and have not gone out since' }),
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** Areas: halls, rooms or other parts of the venue that check-in points lead into and out of. */
export const areas = resource('checkin.areas', 'area', {
  list: {
    route: 'GET events/:event_id/areas',
    scope: 'door',
    summary: 'Areas of an event',
    reply: list(area, 'area'),
  },
  read: {
    route: 'GET events/:event_id/areas/:id',
    scope: 'door',
    summary: 'One area',
    reply: area,
  },
  create: {
    route: 'POST events/:event_id/areas',
    role: 'door_manager',
    summary: 'Create an area',
    body: record(fields),
    reply: area,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/areas/:id',
    role: 'door_manager',
    summary: 'Change fields of an area',
    body: subset(fields),
    reply: area,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/areas/:id',
    role: 'door_manager',
    summary: 'Delete an area; its check-in points are then those of the event as a whole',
    reply: area,
    status: 204,
  },
})
