import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { listenFor } from '@gatehouse/proto/bus/listening.ts'
import { datetime, identifier, maybe, record } from '@gatehouse/proto/declaring/fields.ts'
import type { Static } from 'typebox'

const change = record({
  event_id: identifier(),
  created_at: maybe(datetime({ description: "The code's creation; absent if it is not known" })),
})

/** That a code of an event came or went. */
type Change = Static<typeof change>

/** Announces a change. To be called after the write and before its caller is answered. */
export function announceChange(bus: Bus, made: Change): void {
  bus.announce('promo_codes', JSON.stringify(made))
}

/** Listens to changes, made in whatever process. */
export function onChange(bus: Bus, listener: (change: Change) => void): void {
  listenFor(bus, 'promo_codes', change, listener)
}
