import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { possibleUids } from '@gatehouse/proto/declaring/visible.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticateExhibitor } from '../exhibitors/authenticate.ts'
import type { leadGuests } from './resource.ts'

/** Returns the handlers of lead guests. They are read from the guests service each time, so that a changed whitelist holds at once. */
export function leadGuestHandlers(dependencies: Dependencies): Handlers<typeof leadGuests> {
  return handlersOf<typeof leadGuests, Dependencies>(
    {
      async read({ exhibitors, guestClient }, { params, query }) {
        const { event_id } = await authenticateExhibitor(exhibitors, query.access_token)
        const { fields, guests } = await guestClient.disclosed({
          body: { event_id, by: 'uid', keys: possibleUids(params.guest_uid) },
        })
        const { values } = found(guests.find(({ key }) => key === params.guest_uid) ?? guests[0])
        return Object.fromEntries(fields.map((field, index) => [field, values[index]]))
      },
    },
    dependencies,
  )
}
