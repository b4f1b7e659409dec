import { columnMeanings, foldColumnName } from '@gatehouse/proto/formats/column-names.ts'
import { guestColumnNames } from '@gatehouse/proto/formats/guest-column-names.ts'

/** What a column of a file may be: a field of the guest, or the name or id of its category. */
export const columns = [
  'uid',
  'first_name',
  'last_name',
  'email',
  'company_name',
  'position',
  'phone_number',
  'guest_category',
  'rsvp_status',
  'message',
  'promo_code',
] as const

/** What a column is: one of these, further information of the guest, or nothing. */
export type Meaning = (typeof columns)[number] | 'metadata' | 'none'

const meanings = columnMeanings({ ...guestColumnNames, promo_code: 'promocode' })

/** What columns most likely are, by their names in the header; each field is one column at most. */
export function guessed(header: readonly string[]): Meaning[] {
  const taken = new Set<string>()
  return header.map((name) => {
    const found: string = meanings.get(foldColumnName(name)) ?? 'metadata'
    if (found === '-') return 'none'
    const known = columns.find((column) => column === found.replace('_category_id', '_category'))
    if (!known || taken.has(known)) return 'metadata'
    taken.add(known)
    return known
  })
}
