import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { adopt } from './adopt.ts'
import { create } from './create.ts'
import { deletePartner } from './delete.ts'
import { disown } from './disown.ts'
import type { partners as resource } from './resource.ts'
import { update } from './update.ts'
import { partnerView } from './views.ts'

/** Returns the handlers of partners. */
export function partnerHandlers(dependencies: Dependencies): Handlers<typeof resource> {
  return handlersOf<typeof resource, Dependencies>(
    {
      list: async ({ partners, campaigns }, { params: { event_id } }) => {
        const [all, attached] = await Promise.all([partners.ofEvent(event_id), campaigns.ofEvent(event_id)])
        const byPartner = Map.groupBy(attached, ({ partner_id }) => partner_id)
        return all.map((partner) => partnerView(partner, byPartner.get(partner._id) ?? []))
      },
      read: async ({ partners, campaigns }, { params: { event_id, id } }) => {
        const partner = found(await partners.get(event_id, id))
        return partnerView(partner, await campaigns.ofPartner(event_id, partner._id))
      },
      create,
      update,
      adopt,
      disown,
      delete: deletePartner,
    },
    dependencies,
  )
}
