import { type ConsoleSay, named } from '../texts/words.ts'

/** What e-mails may say of the event. */
export const OF_EVENT = ['event_title', 'event_dates', 'event_location']
/** Of guests, and of the event. */
export const PERSON = [
  'first_name',
  'last_name',
  'email',
  'company_name',
  'position',
  'phone_number',
  'uid',
  ...OF_EVENT,
]
/** What a message to guests has besides. */
export const FOR_GUESTS = ['qrcode', 'wallet', 'badge', 'calendar', 'unsubscribe_link']
/** Of people who are invited. */
export const OF_INVITATIONS = ['first_name', 'last_name', 'email', ...OF_EVENT, 'partner_name', 'link']

/** What a placeholder is called. */
export function placeholderWords(say: ConsoleSay, name: string): string {
  const words = named(say, 'placeholder', name)
  return words === name ? named(say, 'field', name) : words
}
