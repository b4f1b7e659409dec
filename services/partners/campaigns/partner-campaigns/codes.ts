import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf, createdId } from '@gatehouse/proto/bus/client.ts'
import { Fault, type FieldErrors, invalid, unavailable, unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { type Caller, checkReach } from '@gatehouse/proto/declaring/resource.ts'
import { promoCodes } from '../../permissions.ts'
import type { MadeCode, StoredCampaign, WantedCode } from './store.ts'

/** How often a code is asked for which another request is making, and the time in between. */
const TRIES = 40
const PAUSE_MS = 50

/** The discount codes of campaigns, which the promo service stores. */
export class CampaignCodes {
  readonly #promo: Client<typeof promoCodes>

  constructor(bus: Bus) {
    this.#promo = clientOf(bus, promoCodes)
  }

  /** Makes a campaign's code unless it exists. Throws `invalid` with the campaign's fields if the promo service refuses the code. */
  async make({ _id, wanted_code }: StoredCampaign): Promise<MadeCode | undefined> {
    if (!wanted_code) return undefined
    const question = questionOf(_id, wanted_code)
    for (let attempt = 0; attempt < TRIES; attempt++) {
      try {
        const code = await this.#promo.create(question)
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
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    throw unavailable()
  }

  /** Disables the code of a deleted campaign, since guests may hold it; deletes the code of a campaign that was never visible. */
  async retire({ _id, wanted_code, platform_promo_code_id }: StoredCampaign): Promise<void> {
    if (!wanted_code) return
    const { event_id } = wanted_code
    if (platform_promo_code_id !== null) {
      const params = { event_id, id: platform_promo_code_id }
      await unlessRefused(this.#promo.update({ params, body: { is_enabled: false } }), 'not_found')
      return
    }
    const id = createdId(promoCodes, 'create', questionOf(_id, wanted_code))
    await unlessRefused(this.#promo.delete({ params: { event_id, id } }), 'not_found')
  }
}

/** The same request at each try, so that the promo service creates the code once. */
function questionOf(campaign_id: string, { event_id, ...code }: WantedCode) {
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
