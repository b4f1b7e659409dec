import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { qrCodeOf } from '@gatehouse/proto/formats/qr-code.ts'
import { toAnswer } from '@gatehouse/proto/pages/exchange.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { categoryOf } from '../registrations/terms.ts'
import { pageOf } from './handle.ts'
import { openingOf } from './opening.ts'
import type { registrationPages } from './resource.ts'

/** Returns the handlers of registration pages. */
export function registrationPageHandlers(dependencies: Dependencies): Handlers<typeof registrationPages> {
  return handlersOf<typeof registrationPages, Dependencies>(
    {
      async read(all, { params: key }) {
        const { event_id, guest_category_id } = key
        const category = found(await categoryOf(all, event_id, guest_category_id))
        const { archived = false } = await all.eventClient.campaign_terms({ body: { event_id } })
        const { state, persons } = await openingOf(all, key, category, archived)
        const url = `${all.config.public_url.replace(/\/+$/, '')}/register/${event_id}/${guest_category_id}`
        const { registration_limit } = category
        return {
          guest_category_id,
          url,
          qr_code: await qrCodeOf(url),
          state,
          person_count: persons,
          registration_limit,
        }
      },
      handle: async (all, { body }) => toAnswer(await pageOf(all, body)),
    },
    dependencies,
  )
}
