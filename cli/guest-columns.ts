import { plainFields, printedFields } from '@gatehouse/guests/resources'

/** The prefix of a metadata column whose name would be read as another field: `metadata: Company`. */
export const GUEST_METADATA_PREFIX = 'metadata: '

export type PlainField = Exclude<keyof typeof plainFields, 'guest_category_id'>

const names = Object.keys(plainFields) as (keyof typeof plainFields)[]
const plain = names.filter((name) => name !== 'guest_category_id')

/** The fields of a guest which are columns of their own, in the order of an export: who it is, then the rest. */
export const guestColumns = {
  who: [
    ...new Set<PlainField>([
      'uid',
      'first_name',
      'last_name',
      'email',
      ...plain.filter((name) => name in printedFields),
    ]),
  ],
  rest: plain.filter((name) => !(name in printedFields)),
}
