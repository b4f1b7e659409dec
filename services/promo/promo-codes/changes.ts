import type { Bus } from '@gatehouse/proto/bus/bus.ts'

/** What is announced under `promo_codes`: in which event a code came or went. */
interface Change {
  event_id: string
  /** When it was created; absent where it is not known. */
  created_at?: Date
}

/** Announces that a code of an event came or went. Call it after the write and before the caller is answered. */
export function announceChange(bus: Bus, change: Change): void {
  bus.announce('promo_codes', JSON.stringify(change))
}

/** Hears of every code that came or went, in whatever process. */
export function onChange(bus: Bus, listener: (change: Change) => void): void {
  bus.listen('promo_codes', (text) => {
    const { event_id, created_at } = JSON.parse(text) as { event_id: string; created_at?: string }
    listener({ event_id, ...(created_at && { created_at: new Date(created_at) }) })
  })
}
