import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { toFault } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { badgeOrders } from '../permissions.ts'
import type { BadgeTemplateStore, StoredTemplate } from './store.ts'

/** Orders that have stood still for this long belong to a process that died. */
const ABANDONED_MS = 30_000
const SWEEP_MS = 30_000

/**
 * Orders badges anew after a change of a template. The change is stored with a note that they are due, so a process that dies leaves them to
 * the sweep.
 */
export class TemplateOrders {
  readonly #store: BadgeTemplateStore
  readonly #orders
  readonly #sweep: Poller

  constructor(store: BadgeTemplateStore, bus: Bus, log: Log) {
    this.#store = store
    this.#orders = clientOf(bus, badgeOrders)
    this.#sweep = new Poller({
      everyMs: SWEEP_MS,
      look: () => this.#orderAbandoned(),
      onError: (error) => {
        // The guests service may start later than this one.
        if (toFault(error).code === 'unavailable') log.info('retrying to order badges of changed templates')
        else log.warn({ err: error }, 'ordering badges of changed templates failed; it will be retried')
      },
    })
  }

  /** Begins to look for orders that were left. */
  start(): void {
    this.#sweep.wake()
  }

  async stop(): Promise<void> {
    await this.#sweep.stop()
  }

  /** Orders badges for the guests of all categories that name a changed or deleted template. */
  async order(template: StoredTemplate): Promise<void> {
    const { event_id, _id: badge_template_id, deleted: is_deleted } = template
    await this.#orders.order_template({ body: { event_id, badge_template_id, is_deleted } })
    await this.#store.markOrdered(template)
  }

  async #orderAbandoned(): Promise<boolean> {
    const left = await this.#store.dueBefore(new Date(Date.now() - ABANDONED_MS))
    for (const template of left) await this.order(template)
    return left.length > 0
  }
}
