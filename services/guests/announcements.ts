import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { BadgeOrder } from './badge-orders/resource.ts'

/** Announcements for the badges service. What it misses it finds out later by itself. */

/** Announces stored orders of badges. */
export function announceOrders(bus: Bus, orders: BadgeOrder[]): void {
  bus.announce('badges_due', JSON.stringify(orders))
}

/** Listens to orders of badges, from whatever process. */
export function onOrders(bus: Bus, listener: (orders: BadgeOrder[]) => void): void {
  bus.listen('badges_due', (text) => {
    const orders = JSON.parse(text) as (Omit<BadgeOrder, 'due'> & { due: string })[]
    listener(orders.map((order) => ({ ...order, due: new Date(order.due) })))
  })
}

/** Announces that a guest is deleted. */
export function announceGone(bus: Bus, event_id: string, guest_id: string): void {
  bus.announce('guests_gone', JSON.stringify({ event_id, guest_id }))
}

/** Listens to deletions of guests. */
export function onGone(bus: Bus, listener: (event_id: string, guest_id: string) => void): void {
  bus.listen('guests_gone', (text) => {
    const { event_id, guest_id } = JSON.parse(text) as { event_id: string; guest_id: string }
    listener(event_id, guest_id)
  })
}
