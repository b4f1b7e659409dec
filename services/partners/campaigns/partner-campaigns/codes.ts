import { setTimeout as sleep } from 'node:timers/promises'
import { createdId } from '@gatehouse/proto/bus/client.ts'
import { Fault, type FieldErrors, invalid, unavailable, unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { type Caller, checkReach } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { promoCodes } from '../../permissions.ts'
import type { MadeCode, StoredCampaign, WantedCode } from './store.ts'

/** How often a code is asked for which another request is making, and the time in between. */
const TRIES = 40
const PAUSE_MS = 50

/** Makes a campaign's discount code unless it exists. Throws `invalid` with the campaign's fields if the promo service refuses the code. */
export async function makeCode(
  { promoCodeClient }: Dependencies,
  { _id, wanted_code }: StoredCampaign,
): Promise<MadeCode | undefined> {
  if (!wanted_code) return undefined
  const request = requestOf(_id, wanted_code)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      const code = await promoCodeClient.create(request)
      return {
        platform_promo_code_id: code._id,
        platform_promo_code_text: code.text,
        platform_promo_code_amount: code.amount,
        platform_promo_code_percentage_of_total: code.percentage_of_total,
        platform_promo_code_max_usage: code.max_usage,
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.code === 'invalid') throw invalid(campaignErrors(error.errors ?? {}))
      if (error.code !== 'conflict') throw error
    }
    await sleep(PAUSE_MS)
  }
  throw unavailable()
}

/** Disables the code of a deleted campaign, since guests may hold it; deletes the code of a campaign that was never visible. */
export async function retireCode(
  { promoCodeClient }: Dependencies,
  { _id, wanted_code, platform_promo_code_id: made }: StoredCampaign,
): Promise<void> {
  if (!wanted_code) return
  const id = made ?? createdId(promoCodes, 'create', requestOf(_id, wanted_code))
  const params = { event_id: wanted_code.event_id, id }
  const retired =
    made === null ? promoCodeClient.delete({ params }) : promoCodeClient.update({ params, body: { is_enabled: false } })
  await unlessRefused<unknown>(retired, 'not_found')
}

/** The same request at each try, so that the promo service creates the code once. */
function requestOf(campaign_id: string, { event_id, ...code }: WantedCode) {
  const rest = { label: null, is_enabled: true, start_date: null, end_date: null, timezone: 'UTC' }
  return { params: { event_id }, body: { ...code, ...rest }, idempotency_key: `partner_campaign ${campaign_id}` }
}

/** The errors of a code, by the campaign's fields. */
function campaignErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [`platform_promo_code_${field}`, messages]),
  )
}

/** Throws `forbidden` if the caller may not change the event of a campaign's discount code, which is made and disabled with the campaign. */
export function checkCode(caller: Caller | undefined, { wanted_code }: StoredCampaign): void {
  if (wanted_code) checkReach(caller, wanted_code.event_id)
}
