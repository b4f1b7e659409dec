import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { eventDataHandlers } from '@gatehouse/proto/serving/event-data.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { serviceSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { permissions } from './permissions.ts'
import { promoCodeHandlers } from './promo-codes/handlers.ts'
import { PromoCodeStore } from './promo-codes/store.ts'
import * as resources from './resources.ts'

/** The settings of the promo service. */
export const settings = serviceSettings

/** The promo service: discount codes. */
export function start(config: ConfigOf<typeof settings>): Promise<Running> {
  return startService('promo', permissions, config, async ({ bus, store, serve }) => {
    const promoCodeStore = await prepared(new PromoCodeStore(store.db))
    serve(resources.promoCodes, promoCodeHandlers(promoCodeStore, bus))
    const archived = { holds: 'discount codes', order: { created_at: -1, _id: -1 } } as const
    const collections = [{ name: 'promo_codes', archived }]
    serve(resources.eventData, eventDataHandlers(store.db, { collections }))
    return { cell: { events: collections } }
  })
}
