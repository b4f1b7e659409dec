import { onGone } from '@gatehouse/guests/announcements'
import { badgeOrders } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Owner } from './badges/store.ts'

/** What holds something of guests. */
interface Keeper {
  forget(event_id: string, guest_ids: string[]): Promise<void>
  owners(after: Owner | undefined, limit: number): Promise<Owner[]>
}

const PAGE = 200
const ROUND_MS = 3_600_000

/**
 * Deletes what belonged to guests that are gone: when it hears of one, and of all that it missed at the start and once an hour. Public links
 * lead nowhere before that, since who opens one has the guest looked up.
 */
export class Tidying {
  readonly #keepers: Keeper[]
  readonly #orders
  readonly #log: Log
  readonly #rounds: NodeJS.Timeout
  #work: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(keepers: Keeper[], bus: Bus, log: Log) {
    this.#keepers = keepers
    this.#orders = clientOf(bus, badgeOrders)
    this.#log = log
    onGone(bus, (event_id, guest_id) => this.#enqueue(() => this.#forget(event_id, [guest_id])))
    this.#rounds = setInterval(() => this.#enqueue(() => this.#goRound()), ROUND_MS)
    this.#rounds.unref()
    this.#enqueue(() => this.#goRound())
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#rounds)
    await this.#work
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error) => this.#log.warn({ err: error }, 'tidying up failed'))
  }

  async #forget(event_id: string, guest_ids: string[]): Promise<void> {
    await Promise.all(this.#keepers.map((keeper) => keeper.forget(event_id, guest_ids)))
  }

  async #goRound(): Promise<void> {
    for (const keeper of this.#keepers) {
      let after: Owner | undefined
      do {
        const owners = await keeper.owners(after, PAGE)
        after = owners.at(-1)
        for (const [event_id, own] of Map.groupBy(owners, (owner) => owner.event_id)) {
          await this.#forgetGone(event_id, [...new Set(own.map(({ guest_id }) => guest_id))])
        }
      } while (after && !this.#stopped)
    }
  }

  async #forgetGone(event_id: string, guest_ids: string[]): Promise<void> {
    const { ids } = await this.#orders.known({ body: { event_id, ids: guest_ids } })
    const known = new Set(ids)
    const gone = guest_ids.filter((id) => !known.has(id))
    if (gone.length > 0) await this.#forget(event_id, gone)
  }
}
