import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { type Adopted, adoptEach } from '@gatehouse/proto/storage/adopting.ts'
import type { Dependencies } from '../dependencies.ts'
import * as topics from '../topics.ts'
import type { events as resource } from './resource.ts'

type Adopt = typeof resource.actions.adopt

/** Neither the key of ciphered codes nor events of the other system that are named come with an event. */
const WITHOUT = { qr_code_ciphering_enabled: false, platform_event_id: null }

/** Takes over events of another system. */
export function adopt(
  { bus, events, changeLog }: Dependencies,
  { query: { account_id, compares }, body }: Call<Adopt>,
): Promise<Output<Adopt>> {
  return adoptEach(body, async (items): Promise<Adopted[]> => {
    const adopted = events.adopt(
      items.map((item) => ({ archived_at: null, ...item, ...WITHOUT, account_id })),
      compares,
    )
    if (compares) return adopted
    // As any change of an event may be; an earlier try may have died before it said so.
    const ids = items.map(({ _id }) => _id)
    return ids.reduce((change, event_id) => {
      return bus.announcing(topics.archived, { event_id }, changeLog.adding(event_id, { rights: true }, change))
    }, adopted)
  })
}
