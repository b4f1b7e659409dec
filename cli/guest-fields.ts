import { plainFields, printedFields } from '@gatehouse/guests/resources'

export type PlainField = Exclude<keyof typeof plainFields, 'guest_category_id'>

const names = Object.keys(plainFields) as (keyof typeof plainFields)[]
const plain = names.filter((name) => name !== 'guest_category_id')

/** The fields of a guest that are columns of their own, in the order of an export: who it is, then the rest. */
export const guestFields = {
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
