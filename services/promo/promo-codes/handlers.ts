import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { type Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { timeZoneErrors } from '@gatehouse/proto/declaring/time-zones.ts'
import { found, newTimes, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { guests } from '../permissions.ts'
import * as topics from '../topics.ts'
import type { PromoCode, promoCodes } from './resource.ts'
import type { NewPromoCode, PromoCodeStore, StoredPromoCode } from './store.ts'
import { shownText } from './text.ts'

const TEXT_TAKEN = { text: [messageOf('taken')] }
const MAX_TEXT = 255

/** Handlers of discount codes. The guests service counts their uses, since guests hold them. */
export function promoCodeHandlers(store: PromoCodeStore, bus: Bus): Handlers<typeof promoCodes> {
  const guestClient = clientOf(bus, guests)

  async function counted(codes: StoredPromoCode[]): Promise<PromoCode[]> {
    if (codes.length === 0) return []
    const promo_code_ids = codes.map(({ _id }) => _id)
    const uses = await guestClient.promo_uses({ body: { promo_code_ids } })
    const timesUsed = new Map(uses.map(({ promo_code_id, times_used }) => [promo_code_id, times_used]))
    return codes.map((code) => ({ ...code, times_used: timesUsed.get(code._id) ?? 0 }))
  }

  async function countedOne(code: StoredPromoCode): Promise<PromoCode> {
    return found((await counted([code]))[0])
  }

  /** The error for a text that a code other than `_id` has. */
  async function taken(event_id: string, text: string | undefined, _id: string): Promise<FieldErrors> {
    const holder = text === undefined ? null : await store.findByText(event_id, text)
    return holder && holder._id !== _id ? TEXT_TAKEN : {}
  }

  /** Waits for a write which adds or deletes a code, and announces it. */
  function announcing<T extends { created_at: Date } | null | undefined>(
    event_id: string,
    write: Promise<T>,
  ): Promise<T> {
    const changeBy = (code: T | undefined) => ({ event_id, ...(code && { created_at: code.created_at }) })
    return bus.announcing(topics.changed, changeBy, write)
  }

  return {
    list: async ({ params: { event_id }, query }) => counted(await store.page(event_id, query)),
    read: async ({ params }) => countedOne(found(await store.get(params.event_id, params.id))),

    async create({ params: { event_id }, body: given, accept, newId }) {
      const _id = newId()
      const times = newTimes()
      const errors = { ...errorsOf(withText(given)), ...timeZoneErrors(given.timezone) }
      const body = await accept(errors, () => taken(event_id, given.text, _id))
      const code = { _id, ...withText(body), event_id, ...times }
      const stored = await announcing(event_id, store.insert(code))
      if (!stored) throw invalid(TEXT_TAKEN)
      return { ...stored, times_used: 0 }
    },

    async update({ params: { event_id, id }, body: given, accept }) {
      const code = await untilUnchanged('discount code', async () => {
        const current = found(await store.get(event_id, id))
        const zoneErrors = timeZoneErrors(given.timezone, current.timezone)
        const errors = { ...errorsOf({ ...current, ...withText(given) }), ...zoneErrors }
        const changes = withText(await accept(errors, () => taken(event_id, given.text, id)))
        const updated = await store.update(current, changes)
        if (updated === undefined) throw invalid(TEXT_TAKEN)
        return updated
      })
      return () => countedOne(code)
    },

    async delete({ params: { event_id, id } }) {
      const deleted = found(await announcing(event_id, store.delete(event_id, id)))
      return () => countedOne(deleted)
    },

    async admit({ body: { event_id, text } }) {
      const code = await store.findByText(event_id, text)
      if (!code) return { refusal: messageOf('unknown_reference', { thing: 'a discount code', owner: 'event' }) }
      return { refusal: refusalOf(code, new Date()), promo_code: code }
    },
  }
}

/** The fields with the text as it is shown. */
function withText<T extends { text?: string }>(fields: T): T {
  return fields.text === undefined ? fields : { ...fields, text: shownText(fields.text) }
}

/** The errors of fields that do not fit each other. */
function errorsOf({
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

/** Why a code cannot be used at a time, regardless of its uses; null if it can. */
function refusalOf({ is_enabled, start_date, end_date }: StoredPromoCode, now: Date): Message | null {
  if (!is_enabled) return messageOf('disabled')
  if (start_date && now < start_date) return messageOf('not_yet_valid')
  if (end_date && now > end_date) return messageOf('expired')
  return null
}
