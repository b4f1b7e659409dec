import type { Bus } from '@gatehouse/proto/bus.ts'

/** What is announced under `guests`: whose guests changed, and under which uids they were and are known. */
interface Change {
  event_id: string
  uids: string[]
  /** The creation of the oldest guest that came or went; null where none did. Absent where it is not known. */
  moved_from?: Date | null
}

/**
 * Announces a change of guests to every process, the door's memory among them. Call it after the write and before the caller
 * is answered: then whoever was answered finds nothing older any more.
 */
export function announceChange(bus: Bus, event_id: string, uids: Iterable<string>, moved_from?: Date | null): void {
  const change: Change = { event_id, uids: [...uids], ...(moved_from !== undefined && { moved_from }) }
  bus.announce('guests', JSON.stringify(change))
}

/** Hears of every change of guests, in whatever process it was made. */
export function onChange(bus: Bus, listener: (change: Change) => void): void {
  bus.listen('guests', (text) => {
    const { moved_from, ...change } = JSON.parse(text) as Omit<Change, 'moved_from'> & { moved_from?: string | null }
    listener({
      ...change,
      ...(moved_from !== undefined && { moved_from: moved_from === null ? null : new Date(moved_from) }),
    })
  })
}
