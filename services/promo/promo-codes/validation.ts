import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { NewPromoCode, PromoCodeStore } from './store.ts'
import { shownText } from './text.ts'

/** The error for a text that another code of the event has. */
export const TEXT_TAKEN = { text: [messageOf('taken')] }
const MAX_TEXT = 255

/** Returns the error for a text that a code other than `_id` has. */
export async function takenErrors(
  store: PromoCodeStore,
  event_id: string,
  text: string | undefined,
  _id: string,
): Promise<FieldErrors> {
  const holder = text === undefined ? null : await store.findByText(event_id, text)
  return holder && holder._id !== _id ? TEXT_TAKEN : {}
}

/** Returns the fields with the text as it is shown. */
export function withShownText<T extends { text?: string }>(fields: T): T {
  return fields.text === undefined ? fields : { ...fields, text: shownText(fields.text) }
}

/** Returns the errors of fields that do not fit each other. */
export function errorsOf({
  text = '',
  amount = 0,
  percentage_of_total,
  start_date,
  end_date,
}: Partial<NewPromoCode>): FieldErrors {
  const errors: FieldErrors = {}
  // Some letters become several in upper case.
  if ([...text].length > MAX_TEXT) errors.text = [messageOf('too_long', { limit: MAX_TEXT })]
  if (percentage_of_total && amount > 1) errors.amount = [messageOf('share_above_one')]
  if (start_date && end_date && end_date < start_date) errors.end_date = [messageOf('before_start_date')]
  return errors
}
