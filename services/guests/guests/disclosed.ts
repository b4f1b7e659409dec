import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Disclosable } from './lookups.ts'
import { disclosedFields, type guests } from './resource.ts'

type Disclosed = typeof guests.actions.disclosed

/** Returns the whitelisted fields of guests for exhibitors. */
export async function disclosed(
  { events, lookups }: Dependencies,
  { body: { event_id, by, keys } }: Call<Disclosed>,
): Promise<Output<Disclosed>> {
  const fields = [...new Set(found(await events.get(event_id)).lead_guest_fields)]
  const guests = await lookups.disclosable(event_id, by, keys, needsMetadata(fields))
  return { fields, guests: guests.map((guest) => ({ key: guest[by], values: valuesOf(guest, fields) })) }
}

/** Whether an event's whitelist names metadata, that is, a field that is not a guest's own. */
export function needsMetadata(fields: string[]): boolean {
  return !fields.every(isOwn)
}

/** The values of whitelisted fields, in their order: null if a guest has none, joined by commas if it has several in its metadata. */
export function valuesOf(guest: Disclosable, fields: string[]): (string | null)[] {
  return fields.map((field) => {
    if (isOwn(field)) return guest[field] ?? null
    return joinedValues(guest, field)
  })
}

/** The values that a guest's metadata have by a name, joined by commas; null if there are none. */
export function joinedValues(
  { guest_metadata = [] }: Pick<Disclosable, 'guest_metadata'>,
  field: string,
): string | null {
  const values = guest_metadata.flatMap(({ name, value }) => (name === field && value !== null ? [value] : []))
  return values.length > 0 ? values.join(', ') : null
}

function isOwn(field: string): field is (typeof disclosedFields)[number] {
  return (disclosedFields as readonly string[]).includes(field)
}
