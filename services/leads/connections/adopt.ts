import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { type Adopted, adoptEach } from '@gatehouse/proto/storage/adopting.ts'
import type { Dependencies } from '../dependencies.ts'
import { guestIds, NO_GUEST } from './batch-create.ts'
import type { connections } from './resource.ts'
import { leadId } from './store.ts'

type Adopt = typeof connections.actions.adopt

/**
 * Takes over leads of another system. Each has the id that follows here from exhibitor and guest, so that a stand that sends a guest again makes no
 * second lead.
 */
export function adopt(
  dependencies: Dependencies,
  { query: { event_id, compares }, body }: Call<Adopt>,
): Promise<Output<Adopt>> {
  return adoptEach(body, async (items): Promise<Adopted[]> => {
    const ids = await guestIds(
      dependencies,
      event_id,
      items.map(({ guest_uid }) => guest_uid),
    )
    const known = items.flatMap(({ note, rating, ...item }) => {
      const guest_id = ids.get(item.guest_uid)
      const { exhibitor_id, guest_uid } = item
      const judged = note !== null || rating !== null
      return guest_id === undefined
        ? []
        : {
            ...item,
            _id: leadId(exhibitor_id, guest_uid),
            event_id,
            guest_id,
            ...(judged && { note, rating, revision: 1 }),
          }
    })
    const adopted = await dependencies.leads.adopt(known, compares)
    const outcomes = new Map(known.map(({ _id }, index) => [_id, adopted[index] as Adopted]))
    return items.map(
      ({ exhibitor_id, guest_uid }) => outcomes.get(leadId(exhibitor_id, guest_uid)) ?? { errors: NO_GUEST },
    )
  })
}
