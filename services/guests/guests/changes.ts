import type { Bus } from '@gatehouse/proto/bus/bus.ts'

/** The topics of the bus under which every process hears of changes of guests. */
const CHANGED = 'guests'
const LEAVING = 'guests_leaving'
/** No write is still on its way this long after it was begun. */
const REPEAT_AFTER_MS = 15_000
/** Uids of one message: a thousand of the longest are well below what NATS takes. */
const MAX_UIDS = 1_000

/** Whose guests changed, and under which uids they were and are known. */
export interface Change {
  event_id: string
  uids: string[]
  /** The creation of the oldest guest that came or went; null where none did. Absent where it is not known. */
  moved_from?: Date | null
}

/**
 * Announces a change of guests to every process, the door's memory among them. Call it after the write and before the caller
 * is answered: then whoever was answered finds nothing older any more.
 */
export function announceChange(bus: Bus, change: Change): void {
  announce(bus, CHANGED, change)
}

/**
 * Announces that guests are about to be known under these uids no longer, and resolves when every process that listens will have heard it
 * before the write. Should this process die after the write, nobody announces the change: whoever asks again finds nothing left to do, and
 * does not know what was there.
 */
export async function announceLeaving(bus: Bus, change: Change): Promise<void> {
  announce(bus, LEAVING, change)
  await bus.flush()
}

/**
 * Hears of every change of guests, in whatever process it was made. Of guests that were about to leave also once more after a while: by then
 * they are gone, even if the process that should have said so is gone too.
 */
export function onChange(bus: Bus, listener: (change: Change) => void): void {
  subscribe(bus, CHANGED, listener)
  subscribe(bus, LEAVING, (change) => setTimeout(listener, REPEAT_AFTER_MS, change).unref())
}

/** Hears of uids before they are given up: what is read of them from now on may be void a moment later, and nobody might say so. */
export function onLeaving(bus: Bus, listener: (change: Change) => void): void {
  subscribe(bus, LEAVING, listener)
}

function announce(bus: Bus, topic: string, { uids, ...change }: Change): void {
  for (let from = 0; from < uids.length; from += MAX_UIDS) {
    bus.announce(topic, JSON.stringify({ ...change, uids: uids.slice(from, from + MAX_UIDS) }))
  }
}

function subscribe(bus: Bus, topic: string, listener: (change: Change) => void): void {
  bus.listen(topic, (text) => {
    const { moved_from, ...change } = JSON.parse(text) as Omit<Change, 'moved_from'> & { moved_from?: string | null }
    listener({
      ...change,
      ...(moved_from !== undefined && { moved_from: moved_from === null ? null : new Date(moved_from) }),
    })
  })
}
