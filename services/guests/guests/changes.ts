import type { Bus } from '@gatehouse/proto/bus.ts'

/** What is announced under `guests`: whose guests changed, and under which uids they were and are known. */
interface Change {
  event_id: string
  uids: string[]
}

/**
 * Announces a change of guests to every process, the door's memory among them. Call it after the write and before the caller
 * is answered: then whoever was answered finds nothing older any more.
 */
export function announceChange(bus: Bus, event_id: string, uids: Iterable<string>): void {
  bus.announce('guests', JSON.stringify({ event_id, uids: [...uids] } satisfies Change))
}

/** Hears of every change of guests, in whatever process it was made. */
export function onChange(bus: Bus, listener: (change: Change) => void): void {
  bus.listen('guests', (text) => listener(JSON.parse(text) as Change))
}
