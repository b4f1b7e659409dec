import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Topic } from '@gatehouse/proto/declaring/topic.ts'
import type { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import * as topics from '../topics.ts'
import type { EntrySync } from './entry-sync.ts'

/** No write takes longer. */
export const REPEAT_AFTER_MS = 15_000
/** Uids in one message: a thousand of the longest are well below NATS's limit. */
const MAX_UIDS = 1_000

/** A change whose write is still running, and adds to it. */
export interface PendingChange {
  event_id: string
  uids: Set<string>
  moved_from?: Date | null
  /** When guests first came in, by uid, as this very write has stored it. */
  entries?: Map<string, Date>
}

/** Announces a change to every process, for counts and lists to be invalidated. To be called after the write and before its caller is answered. */
export function announceChange(bus: Bus, change: topics.GuestChange): void {
  announce(bus, topics.changed, change)
}

/** Makes changes of guests known: to counts and lists by announcements, to the door by the change log of the event. */
export class GuestChanges {
  readonly #bus: Bus
  readonly #changeLog: ChangeLog
  readonly #entrySync: EntrySync

  constructor(bus: Bus, changeLog: ChangeLog, entrySync: EntrySync) {
    this.#bus = bus
    this.#changeLog = changeLog
    this.#entrySync = entrySync
  }

  /**
   * Runs a write which creates guests and announces its change, even if the write fails: it is unknown then what was stored. The door does not
   * cache unknown guests.
   */
  async creating<T>({ entries, ...change }: PendingChange, write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } finally {
      if (change.uids.size > 0) announceChange(this.#bus, { ...change, uids: [...change.uids] })
      // Their uids may be those of check-ins.
      this.#entrySync.note(change.event_id, change.uids, entries)
    }
  }

  /** Runs a write which changes or deletes guests, and makes its change known; as {@link creating}. */
  async changing<T>(change: PendingChange, write: () => Promise<T>): Promise<T> {
    try {
      return await this.creating(change, write)
    } finally {
      const uids = [...change.uids]
      if (uids.length > 0) await this.#changeLog.add(change.event_id, { uids })
    }
  }

  /**
   * Makes known that guests are about to lose these uids, and resolves once that is sent. If this process dies after the write, the change
   * itself never becomes known: a retry of the request finds nothing left to do, and does not know the uids.
   */
  async leaving(change: topics.GuestChange): Promise<void> {
    announce(this.#bus, topics.leaving, change)
    await this.#bus.flush()
    await this.#changeLog.add(change.event_id, { uids: change.uids, leaving: true })
  }
}

/**
 * Listens to changes of guests, made in whatever process. Uids that are about to be lost are reported once they are lost, at the latest,
 * even if the process that should have announced that is dead.
 */
export function onChange(bus: Bus, listener: (change: topics.GuestChange) => void): void {
  bus.listen(topics.changed, listener)
  bus.listen(topics.leaving, (change) => setTimeout(listener, REPEAT_AFTER_MS, change).unref())
}

function announce(bus: Bus, topic: Topic<topics.GuestChange>, { uids, ...change }: topics.GuestChange): void {
  for (let from = 0; from < uids.length; from += MAX_UIDS) {
    bus.announce(topic, { ...change, uids: uids.slice(from, from + MAX_UIDS) })
  }
}
