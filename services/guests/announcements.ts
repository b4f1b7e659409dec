import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { BadgeOrder } from './badge-orders/resource.ts'

/** What the badges service hears of at once; what it missed it finds out by itself, somewhat later. */

/** Announces orders of badges that are stored. */
export function announceOrders(bus: Bus, orders: BadgeOrder[]): void {
  bus.announce('badges_due', JSON.stringify(orders))
}

/** Hears of orders of badges, in whatever process they were placed. */
export function onOrders(bus: Bus, listener: (orders: BadgeOrder[]) => void): void {
  bus.listen('badges_due', (text) => {
    const orders = JSON.parse(text) as (Omit<BadgeOrder, 'due'> & { due: string })[]
    listener(orders.map((order) => ({ ...order, due: new Date(order.due) })))
  })
}

/** Announces that a guest is gone for good. */
export function announceGone(bus: Bus, event_id: string, guest_id: string): void {
  bus.announce('guests_gone', JSON.stringify({ event_id, guest_id }))
}

/** Hears of guests that are gone for good. */
export function onGone(bus: Bus, listener: (event_id: string, guest_id: string) => void): void {
  bus.listen('guests_gone', (text) => {
    const { event_id, guest_id } = JSON.parse(text) as { event_id: string; guest_id: string }
    listener(event_id, guest_id)
  })
}
