import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { timeZoneErrors } from '@gatehouse/proto/declaring/time-zones.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from './dependencies.ts'
import type { PromoCode, promoCodes } from './resource.ts'
import { errorsOf, TEXT_TAKEN, takenErrors, withShownText } from './validation.ts'

/** Creates a discount code; a retry finds the one that its first try created. */
export async function create(
  { store }: Dependencies,
  { params: { event_id }, body: given, accept, newId }: Call<(typeof promoCodes)['actions']['create']>,
): Promise<PromoCode> {
  const _id = newId()
  const times = newTimes()
  const errors = { ...errorsOf(withShownText(given)), ...timeZoneErrors(given.timezone) }
  const body = await accept(errors, () => takenErrors(store, event_id, given.text, _id))
  const stored = await store.insert({ _id, ...withShownText(body), event_id, ...times })
  if (!stored) throw invalid(TEXT_TAKEN)
  return { ...stored, times_used: 0 }
}
