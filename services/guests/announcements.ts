import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { listenFor } from '@gatehouse/proto/bus/listening.ts'
import { identifier, list, record } from '@gatehouse/proto/declaring/fields.ts'
import type { Static } from 'typebox'
import { type BadgeOrder, order } from './badge-orders/resource.ts'

/** Announcements for the badges service. What it misses it finds out later by itself. */

/** Announces stored orders of badges. */
export function announceOrders(bus: Bus, orders: BadgeOrder[]): void {
  bus.announce('badges_due', JSON.stringify(orders))
}

/** Listens to orders of badges, from whatever process. */
export function onOrders(bus: Bus, listener: (orders: BadgeOrder[]) => void): void {
  listenFor(bus, 'badges_due', list(order, 'order'), listener)
}

/** Announces that a guest is deleted. */
export function announceGone(bus: Bus, event_id: string, guest_id: string): void {
  bus.announce('guests_gone', JSON.stringify({ event_id, guest_id }))
}

/** Listens to deletions of guests. */
export function onGone(bus: Bus, listener: (event_id: string, guest_id: string) => void): void {
  const gone = record({ event_id: identifier(), guest_id: identifier() })
  listenFor<Static<typeof gone>>(bus, 'guests_gone', gone, ({ event_id, guest_id }) => listener(event_id, guest_id))
}
