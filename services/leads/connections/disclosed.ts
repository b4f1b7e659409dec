import type { Client } from '@gatehouse/proto/bus/client.ts'
import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import type { guests } from '../permissions.ts'

type Value = string | null | undefined

/** What an event lets its exhibitors see of guests. */
interface Disclosed {
  fields: string[]
  /** The values of the fields, by the `_id` of the guest; of those who are gone there are none. */
  byGuest: Map<string, Value[]>
}

/** Returns what an event lets exhibitors see of these guests. */
export async function disclosedOf(
  guestClient: Client<typeof guests>,
  event_id: string,
  ids: readonly string[],
): Promise<Disclosed> {
  const { fields } = await guestClient.disclosed({ body: { event_id, by: '_id', keys: [] } })
  const disclosed = await inChunks(ids, async (keys) => {
    const answer = await guestClient.disclosed({ body: { event_id, by: '_id', keys } })
    // The whitelist may have changed meanwhile.
    return answer.guests.map(({ key, values }) => {
      const byField = new Map(answer.fields.map((field, index) => [field, values[index]]))
      return [key, fields.map((field) => byField.get(field))] as const
    })
  })
  return { fields, byGuest: new Map(disclosed) }
}
