import { badgeOrders, events } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'

/** What a guest's badge and QR code are made from. */
export type Printed = Output<(typeof badgeOrders)['actions']['printed']>[number]

/** How the QR codes of an event are ciphered. */
export type Ciphering = Output<(typeof events)['actions']['ciphering']>

const NOT_CIPHERED: Ciphering = { enabled: false, key: null, iv: null }
const ID = /^[0-9a-f]{24}$/

/** Guests as this service needs them. It asks anew each time, together for those that are asked for at the same time. */
export class Guests {
  readonly #printed: (question: { event_id: string; id: string }) => Promise<Printed | undefined>
  readonly #ciphering: (event_id: string) => Promise<Ciphering>

  constructor(bus: Bus) {
    const orders = clientOf(bus, badgeOrders)
    const eventClient = clientOf(bus, events)

    this.#printed = coalesced(async (questions) => {
      const byEvent = Map.groupBy(questions, ({ event_id }) => event_id)
      const known = await Promise.all(
        [...byEvent].map(async ([event_id, wanted]) => {
          const ids = [...new Set(wanted.map(({ id }) => id))]
          const guests = await orders.printed({ body: { event_id, ids } })
          return [event_id, new Map(guests.map((guest) => [guest._id, guest]))] as const
        }),
      )
      const found = new Map(known)
      return questions.map(({ event_id, id }) => found.get(event_id)?.get(id))
    })

    this.#ciphering = coalesced(async (event_ids) => {
      const known = await Promise.all(
        [...new Set(event_ids)].map(async (event_id) => {
          const ciphering = await eventClient.ciphering({ body: { event_id } }).catch(unlessGone)
          return [event_id, ciphering] as const
        }),
      )
      const found = new Map(known)
      return event_ids.map((event_id) => found.get(event_id) ?? NOT_CIPHERED)
    })
  }

  /** A guest as it is now; undefined when the event has no such guest. */
  async printed(event_id: string, id: string): Promise<Printed | undefined> {
    return ID.test(event_id) && ID.test(id) ? this.#printed({ event_id, id }) : undefined
  }

  /** How the event ciphers now. */
  ciphering(event_id: string): Promise<Ciphering> {
    return this.#ciphering(event_id)
  }
}

function unlessGone(error: unknown): Ciphering {
  if (error instanceof Fault && error.code === 'not_found') return NOT_CIPHERED
  throw error
}
