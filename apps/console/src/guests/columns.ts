import { guests } from '../resources/resources.ts'

/** What a column of a file may be: a field of the guest's form, where the category has its name or id. */
export const columns = guests.fields.map((field) => field.replace(/_category_id$/, '_category'))
