import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from './dependencies.ts'
import type { PromoCode } from './resource.ts'
import type { StoredPromoCode } from './store.ts'

/** Returns the codes with `times_used`. */
export async function countUses({ guestClient }: Dependencies, codes: StoredPromoCode[]): Promise<PromoCode[]> {
  if (codes.length === 0) return []
  const promo_code_ids = codes.map(({ _id }) => _id)
  const uses = await guestClient.promo_uses({ body: { promo_code_ids } })
  const timesUsed = new Map(uses.map(({ promo_code_id, times_used }) => [promo_code_id, times_used]))
  return codes.map((code) => ({ ...code, times_used: (timesUsed.get(code._id) ?? 0) + (code.uses_elsewhere ?? 0) }))
}

/** Returns a code with `times_used`. */
export async function countUsesOfOne(dependencies: Dependencies, code: StoredPromoCode): Promise<PromoCode> {
  return found((await countUses(dependencies, [code]))[0])
}
