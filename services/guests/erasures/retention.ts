import type { Act } from '@gatehouse/proto/audit/acts.ts'
import type { AuditTrail } from '@gatehouse/proto/audit/trail.ts'
import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { EventStore, StoredEvent } from '../events/store.ts'
import type { Erasing } from './erasing.ts'
import type { ErasureStore } from './store.ts'

interface RetentionOptions {
  events: EventStore
  store: ErasureStore
  erasing: Erasing
  trail: AuditTrail
  log: Log
}

const LOOK_EVERY_MS = 600_000
/** Within this an erasure is stored. */
const BUDGET_MS = 10_000

/**
 * Begins the erasure of events whose personal data may be kept no longer. Every process looks, and one erasure comes of it: its `_id` follows
 * from the event, its end and its days. Another end or other days are a further erasure.
 */
export class Retention {
  readonly #options: RetentionOptions
  readonly #poller: Poller

  constructor(options: RetentionOptions) {
    this.#options = options
    this.#poller = new Poller({
      everyMs: LOOK_EVERY_MS,
      look: async () => {
        for (const event of await options.events.beyondRetention()) await this.#begin(event)
      },
      onError: (error) => options.log.warn({ err: error }, 'erasing expired personal data failed; it will be retried'),
    })
  }

  start(): void {
    this.#poller.wake()
  }

  async stop(): Promise<void> {
    await this.#poller.stop()
  }

  async #begin({ _id: event_id, account_id, end_date, personal_data_days }: StoredEvent): Promise<void> {
    const { store, erasing, trail } = this.#options
    const _id = derivedId('retention', event_id, `${end_date?.getTime()}`, `${personal_data_days}`)
    if (await store.get(event_id, _id)) return
    const created_at = new Date()
    const insert = () =>
      store.insert({
        _id,
        account_id,
        with_account: false,
        event_id,
        cause: 'retention',
        everybody: true,
        state: 'running',
        ...erasing.begin({ by: 'everybody' }),
        created_at,
        completed_at: null,
      })
    const act: Act = {
      _id: derivedId('act', _id),
      account_id,
      action: 'guests.erasures.create',
      resource_id: _id,
      event_id,
      token_id: 'retention',
      token_name: null,
      address: null,
      changed_fields: [],
      items: null,
      outcome: 'unknown',
      created_at,
    }
    await trail.recording(act, BUDGET_MS, insert, () => ({ ...act, outcome: 'done' }))
  }
}
