import type { GuestField, RegistrationSettings } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { guestCategories, guestFields } from '../../permissions.ts'
import { OWN_METADATA } from './registration.ts'

/** Fields that a registration asks for: those that were made first. */
const MOST_FIELDS = 100

/** What the guests service says about registrations. */
export class RegistrationTerms {
  readonly #categories
  readonly #fields

  constructor(bus: Bus) {
    this.#categories = clientOf(bus, guestCategories)
    this.#fields = clientOf(bus, guestFields)
  }

  /** The settings of the category that guests of an invitation type get; null if there is none. */
  async category(event_id: string, id: string | null | undefined): Promise<RegistrationSettings | null> {
    return id ? unlessRefused(this.#categories.registration({ body: { event_id, id } }), 'not_found') : null
  }

  /** The fields of an event that are asked for. One whose value nobody could choose is left out, and so is one that the guest gets anyway. */
  async fields(event_id: string): Promise<GuestField[]> {
    const fields = await this.#fields.list({ params: { event_id } })
    return fields
      .filter(
        ({ use_in_registration, type, available_values, key }) =>
          use_in_registration &&
          (type === 'text' || (type === 'value_list' && available_values.length > 0)) &&
          !OWN_METADATA.includes(key),
      )
      .slice(0, MOST_FIELDS)
  }
}
