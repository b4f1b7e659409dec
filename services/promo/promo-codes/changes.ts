import type { Bus } from '@gatehouse/proto/bus.ts'

/** Announces that codes of an event came or went. Call it after the write and before the caller is answered. */
export function announceChange(bus: Bus, event_id: string): void {
  bus.announce('promo_codes', event_id)
}

/** Hears in which event codes came or went, in whatever process. */
export function onChange(bus: Bus, listener: (event_id: string) => void): void {
  bus.listen('promo_codes', listener)
}
