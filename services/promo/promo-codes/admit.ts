import { type Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from './dependencies.ts'
import type { promoCodes } from './resource.ts'
import type { StoredPromoCode } from './store.ts'

type Admit = (typeof promoCodes)['actions']['admit']

/** Returns the discount code with a text, and why it is refused at the moment, regardless of its uses. */
export async function admit(
  { store }: Dependencies,
  { body: { event_id, text } }: Call<Admit>,
): Promise<Output<Admit>> {
  const code = await store.findByText(event_id, text)
  if (!code) return { refusal: messageOf('unknown_reference', { thing: 'a discount code', owner: 'event' }) }
  return { refusal: refusalOf(code, new Date()), promo_code: { ...code, max_usage: leftHere(code) } }
}

/** How many guests may hold the code here: uses elsewhere count too. */
function leftHere({ max_usage, uses_elsewhere = 0 }: StoredPromoCode): number {
  return max_usage < 0 ? max_usage : Math.max(0, max_usage - uses_elsewhere)
}

/** Why a code cannot be used at a time, regardless of its uses; null if it can. */
function refusalOf({ is_enabled, start_date, end_date }: StoredPromoCode, now: Date): Message | null {
  if (!is_enabled) return messageOf('disabled')
  if (start_date && now < start_date) return messageOf('not_yet_valid')
  if (end_date && now > end_date) return messageOf('expired')
  return null
}
