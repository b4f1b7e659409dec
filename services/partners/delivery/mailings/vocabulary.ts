import { type GuestField, plainFields } from '@gatehouse/guests/resources'
import { fieldsWith } from '@gatehouse/proto/declaring/fields.ts'
import type { Vocabulary } from '../invitation-types/markup.ts'

/** The fields of guests that anybody may be told: not what stewards note of them. */
export const guestValues = Object.keys(fieldsWith(plainFields, 'disclosed')) as (keyof ReturnType<
  typeof fieldsWith<typeof plainFields, 'disclosed'>
>)[]

/** Those to which a text may link. */
const TARGETS = ['qrcode', 'badge', 'unsubscribe_link']

/** What texts may say of the event. */
const OF_EVENT = ['event_title', 'event_dates', 'event_location']

/** The placeholders of a subject: fields of guests, guest fields of the event by their keys, and what is said of the event. */
export function subjectNames(guestFields: readonly Pick<GuestField, 'key' | 'type'>[]): string[] {
  const keys = guestFields.flatMap(({ key, type }) => (type === 'file' ? [] : [key]))
  return [...guestValues, ...OF_EVENT, ...keys]
}

/** What a message of an event with these guest fields may contain. */
export function vocabularyOf(guestFields: readonly Pick<GuestField, 'key' | 'type'>[]): Vocabulary {
  return { names: [...TARGETS, 'calendar', 'wallet', ...subjectNames(guestFields)], targets: TARGETS }
}
