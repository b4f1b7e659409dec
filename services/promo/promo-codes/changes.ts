import type { Bus } from '@gatehouse/proto/bus/bus.ts'

/** That a code of an event came or went. */
interface Change {
  event_id: string
  /** The code's creation; absent if it is not known. */
  created_at?: Date
}

/** Announces a change. To be called after the write and before its caller is answered. */
export function announceChange(bus: Bus, change: Change): void {
  bus.announce('promo_codes', JSON.stringify(change))
}

/** Listens to changes, made in whatever process. */
export function onChange(bus: Bus, listener: (change: Change) => void): void {
  bus.listen('promo_codes', (text) => {
    const { event_id, created_at } = JSON.parse(text) as { event_id: string; created_at?: string }
    listener({ event_id, ...(created_at && { created_at: new Date(created_at) }) })
  })
}
