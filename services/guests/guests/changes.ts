import type { Bus } from '@gatehouse/proto/bus/bus.ts'

/** The topics of announcements. */
const CHANGED = 'guests'
const LEAVING = 'guests_leaving'
/** No write takes longer. */
const REPEAT_AFTER_MS = 15_000
/** Uids in one message: a thousand of the longest are well below NATS's limit. */
const MAX_UIDS = 1_000

/** A change of guests of an event. */
export interface Change {
  event_id: string
  /** The uids which the guests had or have. */
  uids: string[]
  /** The creation of the oldest guest which came or went; null if none did, absent if it is not known. */
  moved_from?: Date | null
}

/** A change whose write is still running, and adds to it. */
export interface PendingChange {
  event_id: string
  uids: Set<string>
  moved_from: Date | null
}

/** Announces a change to every process, for caches to be invalidated. To be called after the write and before its caller is answered. */
export function announceChange(bus: Bus, change: Change): void {
  announce(bus, CHANGED, change)
}

/** Runs a write and announces its change, even if the write fails: it is unknown then what was stored. */
export async function announcing<T>(bus: Bus, change: PendingChange, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } finally {
    if (change.uids.size > 0) announceChange(bus, { ...change, uids: [...change.uids] })
  }
}

/**
 * Announces that guests are about to lose these uids, and resolves once the announcement is sent. If this process dies after the write,
 * the change itself is never announced: a retry of the request finds nothing left to do, and does not know the uids.
 */
export async function announceLeaving(bus: Bus, change: Change): Promise<void> {
  announce(bus, LEAVING, change)
  await bus.flush()
}

/**
 * Listens to changes of guests, made in whatever process. Uids which are about to be lost are reported once they are lost, at the latest,
 * even if the process which should have announced that is dead.
 */
export function onChange(bus: Bus, listener: (change: Change) => void): void {
  subscribe(bus, CHANGED, listener)
  subscribe(bus, LEAVING, (change) => setTimeout(listener, REPEAT_AFTER_MS, change).unref())
}

/** Listens to uids before they are lost: what is read of them from then on may become outdated without another announcement. */
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
