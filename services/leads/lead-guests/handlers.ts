import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { possibleUids } from '@gatehouse/proto/declaring/visible.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { authenticateExhibitor } from '../exhibitors/authenticate.ts'
import type { ExhibitorStore } from '../exhibitors/store.ts'
import { guests } from '../permissions.ts'
import type { leadGuests } from './resource.ts'

/** Handlers of lead guests. They are read from the guests service each time, so that a changed whitelist holds at once. */
export function leadGuestHandlers(exhibitors: ExhibitorStore, bus: Bus): Handlers<typeof leadGuests> {
  const guestClient = clientOf(bus, guests)
  return {
    async read({ params, query }) {
      const { event_id } = await authenticateExhibitor(exhibitors, query.access_token)
      const { fields, guests } = await guestClient.disclosed({
        body: { event_id, by: 'uid', keys: possibleUids(params.guest_uid) },
      })
      const guest = guests.find(({ key }) => key === params.guest_uid) ?? guests[0]
      const { values } = found(guest)
      return Object.fromEntries(fields.map((field, index) => [field, values[index]]))
    },
  }
}
