import { guests, walkInFields } from '@gatehouse/guests/guests'
import { record } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { checkIns, scanFields } from '../check-ins/resource.ts'

const { accesspoint_id, access_stamp, persons } = scanFields

/** Walk-ins: guests who are on no list, and are added and checked in at the door. */
export const walkIns = resource('checkin.walk_ins', 'walk_in', {
  create: {
    route: 'POST events/:event_id/walk_ins',
    whileArchived: true,
    scope: 'door',
    summary:
      'Add a guest at the door and check the guest in; 403 if the guest category does not allow it. The same uid from the same token is the same walk-in',
    recognisesRequests: true,
    atPoint: true,
    checks: true,
    body: record({ ...walkInFields, accesspoint_id, access_stamp, persons }),
    reply: record({ guest: guests.actions.read.reply, access_control: checkIns.actions.create.reply }),
    status: 201,
  },
})
