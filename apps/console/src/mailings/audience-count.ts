import { client, type Item } from '../server/server.ts'
import { type Loaded, useLoaded } from '../view/loaded.ts'

interface AudienceCount {
  count: number
  is_complete: boolean
  without_email: number
}

/** Counts those to whom a mailing goes; again when its state is another one. */
export function useAudienceCount(event_id = '', { _id }: Item, state = ''): Loaded<AudienceCount | undefined> {
  const path = { event_id, id: String(_id) }
  return useLoaded(
    async (signal) =>
      (await client.GET('/api/v1/events/{event_id}/mailings/{id}/audience.json', { params: { path }, signal })).data,
    [path.id, state],
  )
}
