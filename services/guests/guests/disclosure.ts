import type { StoredGuest } from './store.ts'

/** A guest's own fields that exhibitors may be shown, besides what its metadata holds. */
export const disclosable = [
  'email',
  'first_name',
  'last_name',
  'company_name',
  'position',
  'phone_number',
  'uid',
] as const

type Own = (typeof disclosable)[number]

/** A guest as it is read for exhibitors. */
export type Disclosable = Pick<StoredGuest, '_id' | Own> & Partial<Pick<StoredGuest, 'guest_metadata'>>

/** Whether fields of an event's whitelist are names of metadata: all that are not a guest's own. */
export function needsMetadata(fields: string[]): boolean {
  return !fields.every(isOwn)
}

/** The values of whitelisted fields, in their order. Several entries of metadata of one name are joined by commas; null where there is none. */
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
  return (disclosable as readonly string[]).includes(field)
}
