import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { timeZoneErrors } from '@gatehouse/proto/declaring/time-zones.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from './dependencies.ts'
import type { PromoCode, promoCodes } from './resource.ts'
import { countUsesOfOne } from './uses.ts'
import { errorsOf, TEXT_TAKEN, takenErrors, withShownText } from './validation.ts'

/** Updates a discount code as it was validated: if it changes meanwhile, it is read and validated again. */
export async function update(
  codes: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<(typeof promoCodes)['actions']['update']>,
): Promise<() => Promise<PromoCode>> {
  const { store } = codes
  const code = await untilUnchanged('discount code', async () => {
    const current = found(await store.get(event_id, id))
    const zoneErrors = timeZoneErrors(given.timezone, current.timezone)
    const errors = { ...errorsOf({ ...current, ...withShownText(given) }), ...zoneErrors }
    const changes = withShownText(await accept(errors, () => takenErrors(store, event_id, given.text, id)))
    const updated = await store.update(current, changes)
    if (updated === undefined) throw invalid(TEXT_TAKEN)
    return updated
  })
  return () => countUsesOfOne(codes, code)
}
