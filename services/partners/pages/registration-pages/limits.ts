import { createHmac } from 'node:crypto'
import { derivedKey } from '@gatehouse/proto/storage/tokens.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import type { Db } from 'mongodb'
import { HourlyCounts } from '../../hourly-counts.ts'

interface Limits {
  secrets_key: string
  registrations_per_address: number
  registrations_per_event: number
}

/** Bounds how many registrations an hour come from an address of the network, and to an event: each may send an e-mail to a stranger. */
export class RegistrationLimits {
  readonly #counts: HourlyCounts
  readonly #limits: Limits
  readonly #key: Buffer

  constructor(db: Db, limits: Limits) {
    this.#counts = new HourlyCounts(db, 'registration_counts')
    this.#limits = limits
    this.#key = derivedKey(limits.secrets_key, 'registration addresses')
  }

  async prepare(): Promise<void> {
    await this.#counts.prepare()
  }

  /** Counts one more. Returns whether that is within the limits. */
  async allow(event_id: string, address: string): Promise<boolean> {
    const { registrations_per_address, registrations_per_event } = this.#limits
    const ofAddress = await this.#counts.count(this.#hashOf(event_id, address))
    if (ofAddress.count > registrations_per_address) return refused('registrations_per_address')
    const ofEvent = await this.#counts.count(event_id)
    return ofEvent.count <= registrations_per_event || refused('registrations_per_event')
  }

  /** An address is personal data: its keyed hash is kept for an hour. */
  #hashOf(event_id: string, address: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([event_id, address]))
      .digest('hex')
  }
}

function refused(quota: string): false {
  instruments.quotaRefusals.add(1, { quota })
  return false
}
