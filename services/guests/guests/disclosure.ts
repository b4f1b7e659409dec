import { disclosedFields } from './resource.ts'
import type { StoredGuest } from './stored-guest.ts'

type Own = (typeof disclosedFields)[number]

/** A guest as it is read for exhibitors. */
export type Disclosable = Pick<StoredGuest, '_id' | Own> & Partial<Pick<StoredGuest, 'guest_metadata'>>

/** Whether an event's whitelist names metadata, that is, a field that is not a guest's own. */
export function needsMetadata(fields: string[]): boolean {
  return !fields.every(isOwn)
}

/** The values of whitelisted fields, in their order: null if a guest has none, joined by commas if it has several in its metadata. */
export function disclosed(guest: Disclosable, fields: string[]): (string | null)[] {
  return fields.map((field) => {
    if (isOwn(field)) return guest[field] ?? null
    const values = (guest.guest_metadata ?? []).flatMap(({ name, value }) =>
      name === field && value !== null ? [value] : [],
    )
    return values.length > 0 ? values.join(', ') : null
  })
}

function isOwn(field: string): field is Own {
  return (disclosedFields as readonly string[]).includes(field)
}
