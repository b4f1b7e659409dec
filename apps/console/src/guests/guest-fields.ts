import { client, type Item } from '../server/server.ts'
import { useLoaded } from '../view/loaded.ts'

const FILE = 'file'

/** A guest field of the event. */
export interface GuestField {
  key: string
  label: string
  type: string
  available_values: string[]
}

/** The guest fields of an event, with their keys for those without a label. */
export function useFieldsOfEvent(event_id: string): GuestField[] | undefined {
  const load = async (signal: AbortSignal) =>
    (await client.GET('/api/v1/events/{event_id}/guest_fields.json', { params: { path: { event_id } }, signal })).data
  const { value, error } = useLoaded(load, [event_id])
  // A list of guests is of use without them.
  if (error && !value) return []
  return value?.map(({ key, label, type, available_values }) => ({ key, label: label || key, type, available_values }))
}

/** The guest fields of an event that hold a text. */
export function useGuestFields(event_id: string): GuestField[] | undefined {
  return useFieldsOfEvent(event_id)?.filter(({ type }) => type !== FILE)
}

/** Those that take a file. */
export function fileFieldsOf(fields: readonly GuestField[] = []): GuestField[] {
  return fields.filter(({ type }) => type === FILE)
}

/** The values that a guest has under the key of a guest field. */
export function metadataOf({ guest_metadata }: Item, key: string): string {
  const all = Array.isArray(guest_metadata) ? (guest_metadata as { name: string; value: string | null }[]) : []
  return all.flatMap(({ name, value }) => (name === key && value ? [value] : [])).join(', ')
}
