import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { isErased } from '@gatehouse/proto/privacy/blanking.ts'
import { badgeOrders, events } from './permissions.ts'

/** A guest's fields for badge and QR code. */
export type Printed = Output<(typeof badgeOrders)['actions']['printed']>[number]

/** The ciphering of an event's QR codes. */
export type Ciphering = Output<(typeof events)['actions']['ciphering']>

const NOT_CIPHERED: Ciphering = { enabled: false, for_devices: false, key: null, iv: null }
const ID = /^[0-9a-f]{24}$/

/** Reads guests and ciphering from the guests service. Nothing is cached; concurrent reads share a request. */
export class Guests {
  readonly #printed: (question: { event_id: string; id: string }) => Promise<Printed | undefined>
  readonly #ciphering: (event_id: string) => Promise<Ciphering>

  constructor(bus: Bus) {
    const orders = clientOf(bus, badgeOrders)
    const eventClient = clientOf(bus, events)

    this.#printed = coalesced(async (questions) => {
      const byEvent = Map.groupBy(questions, ({ event_id }) => event_id)
      const found = await mapOf(byEvent.keys(), async (event_id) => {
        const ids = [...new Set(byEvent.get(event_id)?.map(({ id }) => id))]
        const guests = await orders.printed({ body: { event_id, ids } })
        return new Map(guests.map((guest) => [guest._id, guest]))
      })
      return questions.map(({ event_id, id }) => found.get(event_id)?.get(id))
    })

    this.#ciphering = coalesced(async (event_ids) => {
      const found = await mapOf(event_ids, (event_id) =>
        unlessRefused(eventClient.ciphering({ body: { event_id } }), 'not_found'),
      )
      return event_ids.map((event_id) => found.get(event_id) ?? NOT_CIPHERED)
    })
  }

  /** A guest's current fields; undefined if the event has no such guest, or it is erased. */
  async printed(event_id: string, id: string): Promise<Printed | undefined> {
    const guest = ID.test(event_id) && ID.test(id) ? await this.#printed({ event_id, id }) : undefined
    return guest && !isErased(guest.uid) ? guest : undefined
  }

  /** The event's current ciphering. */
  ciphering(event_id: string): Promise<Ciphering> {
    return this.#ciphering(event_id)
  }
}

/** What `read` gives for each of the keys, read once and concurrently. */
async function mapOf<T>(keys: Iterable<string>, read: (key: string) => Promise<T>): Promise<Map<string, T>> {
  return new Map(await Promise.all([...new Set(keys)].map(async (key) => [key, await read(key)] as const)))
}
