import * as guestTopics from '@gatehouse/guests/topics'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Collection, Db } from 'mongodb'
import { type Owner, ownersIn } from './owners.ts'
import { badgeOrders } from './permissions.ts'

const PAGE_SIZE = 200
const RUN_EVERY_MS = 3_600_000
const RETRY_MS = 5_000

/**
 * Deletes data of deleted guests: when a deletion is announced, and at the start and once an hour for announcements that it missed. Public
 * links stop working earlier, since opening one looks the guest up.
 */
export class Cleanup {
  readonly #collections: Collection<Owner>[]
  readonly #orders
  readonly #log: Log
  readonly #poller: Poller
  #work: Promise<void> = Promise.resolve()

  constructor(db: Db, bus: Bus, log: Log) {
    this.#collections = [db.collection('badges'), db.collection('files')]
    this.#orders = clientOf(bus, badgeOrders)
    this.#log = log
    bus.listen(guestTopics.gone, ({ event_id, guest_ids }) => {
      this.#work = this.#work.then(() => this.#deleteData(event_id, guest_ids)).catch((error) => this.#failed(error))
    })
    this.#poller = new Poller({
      everyMs: RUN_EVERY_MS,
      look: (signal) => this.#findGone(signal),
      onError: (error) => {
        // The guests service may start later than this one.
        if (error instanceof Fault && error.code === 'unavailable')
          log.info('retrying the cleanup after deleted guests')
        else this.#failed(error)
        this.#poller.wake(RETRY_MS)
      },
    })
    this.#poller.wake()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#poller.stop(), this.#work])
  }

  #failed(error: unknown): void {
    this.#log.warn({ err: error }, 'the cleanup after deleted guests failed')
  }

  async #deleteData(event_id: string, guest_ids: string[]): Promise<void> {
    await Promise.all(this.#collections.map((each) => each.deleteMany({ event_id, guest_id: { $in: guest_ids } })))
  }

  async #findGone(signal: AbortSignal): Promise<void> {
    for (const collection of this.#collections) {
      let after: Owner | undefined
      do {
        const owners = await ownersIn(collection, after, PAGE_SIZE)
        after = owners.at(-1)
        for (const [event_id, own] of Map.groupBy(owners, (owner) => owner.event_id)) {
          await this.#deleteOfGone(event_id, [...new Set(own.map(({ guest_id }) => guest_id))])
        }
      } while (after && !signal.aborted)
    }
  }

  async #deleteOfGone(event_id: string, guest_ids: string[]): Promise<void> {
    const { ids } = await this.#orders.known({ body: { event_id, ids: guest_ids } })
    const known = new Set(ids)
    const gone = guest_ids.filter((id) => !known.has(id))
    if (gone.length > 0) await this.#deleteData(event_id, gone)
  }
}
