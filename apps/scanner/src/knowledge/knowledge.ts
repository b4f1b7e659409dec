import { decide, readSnapshot, type Snapshot, updated } from '@gatehouse/door/snapshot.ts'
import { writeSnapshot } from '@gatehouse/door/snapshot-writing.ts'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import type { Status } from '../scanning/scan.ts'
import type { Server } from '../server/server.ts'
import type { Database } from '../storage/database.ts'
import type { ScanStore } from '../storage/scans.ts'
import { loadSnapshot, saveSnapshot, wipeSnapshot } from '../storage/snapshots.ts'

/** What this device decides by itself, with what it knows of the guest. */
export interface OwnDecision {
  status: Status
  name: string | null
  category: string | null
}

interface Parts {
  event_id: string
  database: Database
  store: ScanStore
  server: Server
}

/** Writing a large snapshot takes a while; after a restart the difference since then is asked for. */
const SAVE_EVERY_MS = 60_000

/** What this device knows of the event, for the time when the server does not answer. */
export class Knowledge {
  readonly #parts: Parts
  #snapshot: Snapshot | undefined
  #askedAt = 0
  #savedAt = 0
  /** Counts how often all was forgotten. */
  #life = 0
  #updating: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Reads what the device knew last. */
  async load(): Promise<void> {
    const { database, event_id } = this.#parts
    const kept = await loadSnapshot(database, event_id)
    if (!kept || this.#snapshot) return
    this.#snapshot = readSnapshot(kept.text)
    this.#askedAt = kept.asked_at
  }

  /** Forgets what the device knew: the next update asks for all of it. What is still on its way is not kept. */
  async forget(): Promise<void> {
    this.#snapshot = undefined
    this.#life++
    await wipeSnapshot(this.#parts.database)
  }

  /** Asks the server what is new, unless that is going on. */
  update(): Promise<void> {
    this.#updating ??= this.#update().finally(() => {
      this.#updating = undefined
    })
    return this.#updating
  }

  /** Decides a scan as the door would which knows no more than this device; undefined if the device knows too little. */
  async decide(accesspoint_id: string, uid: string): Promise<OwnDecision | undefined> {
    const snapshot = this.#snapshot
    if (!snapshot) return undefined
    const [hash, own] = await Promise.all([
      hashUid(snapshot.salt, uid),
      this.#parts.store.grantsSince(accesspoint_id, uid, this.#askedAt),
    ])
    const decision = decide(snapshot, { accesspoint_id, hash }, own)
    if (!decision) return undefined
    const { access_status, guest, category } = decision
    const name = [guest?.first_name, guest?.last_name].filter(Boolean).join(' ')
    return { status: access_status as Status, name: name || null, category: category || null }
  }

  async #update(): Promise<void> {
    const { database, event_id, server } = this.#parts
    const askedAt = Date.now()
    const before = this.#snapshot?.cursor
    const life = this.#life
    const text = await server.snapshot(before)
    if (life !== this.#life) return
    this.#snapshot = updated(this.#snapshot, text)
    this.#askedAt = askedAt
    // What ended before is in it.
    await this.#parts.store.prune(askedAt)
    const isNews = this.#snapshot.cursor !== before
    if (before !== undefined && !(isNews && askedAt - this.#savedAt > SAVE_EVERY_MS)) return
    this.#savedAt = askedAt
    if (life === this.#life) await saveSnapshot(database, event_id, askedAt, writeSnapshot(this.#snapshot))
  }
}
