import type { Client } from '@gatehouse/proto/bus/client.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { eventData } from '../permissions.ts'
import type { EventStore, StoredEvent } from './store.ts'

/*
 * A deleted event is marked first, and nobody sees it any more. Then each service deletes what it holds of it, which can be repeated, and the
 * document says which have: any process goes on where another one died. A second pass finds what was on its way during the first, such as scans.
 * The event itself goes last. docs/adr/0007 says why.
 */

/** Clients of the services that hold data of events. */
export type EventDataClients = { name: string; client: Client<(typeof eventData)[number]> }[]

interface DeletingOptions {
  store: EventStore
  services: EventDataClients
  log: Log
  /** When the second pass follows the first, in ms. */
  secondPassMs: number
}

/** For so long no other process goes on; each step is shorter. */
const LEASE_MS = 60_000
const LOOK_EVERY_MS = 2_000
const IDLE_LOOK_MS = 8_000
const RETRY_MS = 5_000

/** Deletes the data of deleted events in all services, one after the other. */
export class Deleting {
  readonly #options: DeletingOptions
  readonly #poller: Poller

  constructor(options: DeletingOptions) {
    this.#options = options
    this.#poller = new Poller({
      everyMs: LOOK_EVERY_MS,
      idleMs: IDLE_LOOK_MS,
      look: (signal) => this.#look(signal),
      onError: (error) => options.log.warn({ err: error }, 'deleted events cannot be read'),
    })
  }

  /** Looks for deleted events from now on, and at once. */
  start(): void {
    this.#poller.wake()
  }

  async stop(): Promise<void> {
    await this.#poller.stop()
  }

  /** Returns whether any was due. */
  async #look(signal: AbortSignal): Promise<boolean> {
    const { store, log } = this.#options
    let any = false
    while (!signal.aborted) {
      const event = await store.leaseDeleted(new Date(Date.now() + LEASE_MS))
      if (!event) break
      any = true
      try {
        await this.#work(event, signal)
      } catch (error) {
        log.warn({ err: error, event_id: event._id }, 'deleting an event failed; it will be retried')
        await store.updateDeletion(event._id, { due: new Date(Date.now() + RETRY_MS) })
      }
    }
    return any
  }

  async #work(event: StoredEvent, signal: AbortSignal): Promise<void> {
    const { store, services, secondPassMs } = this.#options
    const { _id, account_id, deleting } = event
    if (!deleting) return
    const { pass, dropped } = deleting
    const body = { account_id, event_id: _id }
    for (const { name, client } of services) {
      if (dropped.includes(name)) continue
      while (!(await client.drop({ body })).is_done) {
        // Another process goes on at once.
        if (signal.aborted) return store.updateDeletion(_id, { due: new Date() })
        await store.updateDeletion(_id, { due: new Date(Date.now() + LEASE_MS) })
      }
      dropped.push(name)
      await store.updateDeletion(_id, { dropped, due: new Date(Date.now() + LEASE_MS) })
    }
    if (pass === 2) await store.removeDeleted(event)
    else await store.updateDeletion(_id, { pass: 2, dropped: [], due: new Date(Date.now() + secondPassMs) })
  }
}
