import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import * as topics from '../topics.ts'
import { archivingOf } from './archiving.ts'
import { newCiphering } from './ciphering.ts'
import { withCountsOfOne } from './counts.ts'
import type { Event, events } from './resource.ts'
import { errorsOf, platformOf } from './validation.ts'

/** Changes an event. If that switches ciphering on or off, all badges with a QR code are made anew. */
export async function update(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, caller }: Call<typeof events.actions.update>,
): Promise<() => Promise<Event>> {
  const { bus, events, changeLog, orderQueue, encrypter, allowPrivateHooks } = dependencies
  const { archived, ...body } = await accept(
    await errorsOf(events, allowPrivateHooks, given, required(caller), event_id),
  )
  const archiving = archivingOf(found(await events.get(event_id)), {
    ...(archived !== undefined && { archived }),
    ...body,
  })
  const isCiphered = body.qr_code_ciphering_enabled
  if (isCiphered) await events.provideCiphering(event_id, newCiphering(encrypter))
  const current = isCiphered === undefined ? null : await events.get(event_id)
  const reprints = current !== null && current.qr_code_ciphering_enabled !== isCiphered
  // Marked before the write and ordered after it, so that badges are made anew even if this process dies in between.
  const reprinted = reprints ? await orderQueue.markEvent(event_id) : []
  const change = events.update(event_id, { ...body, ...platformOf(body), ...archiving })
  // Announced even if it was archived already: an earlier try may have died before it said so.
  const updated = archived === undefined ? change : bus.announcing(topics.archived, { event_id }, change)
  // The door counts days by these.
  const changesDays = body.timezone !== undefined || body.day_starts_at !== undefined
  const event = found(await (changesDays ? changeLog.adding(event_id, { rights: true }, updated) : updated))
  orderQueue.orderForAll(reprinted)
  return () => withCountsOfOne(dependencies, event)
}
