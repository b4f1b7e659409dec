import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { withinQuota } from '../../../shared/src/storage/quota.ts'
import type { EarlierEntry, HashedGuest, StoredScan } from '../scanning/scan.ts'
import type { Problem } from '../server/problems.ts'
import type { Database } from './database.ts'
import { tick } from './ticks.ts'

/** A guest whose scans are looked for: by the uid, where it is known, or by its hash. */
export interface WantedGuest {
  given: string | HashedGuest
  hash: string
  isGuest: (uid: string) => Promise<boolean>
}

/** What a snapshot does not know of whom this device has let in and out of a guest's party. */
export interface OwnGrants {
  /** The granted scans that it lacks, at each of the check-in points. */
  granted: StoredScan[]
  /** The granted scans that were undone, and that it may still count: it lacks them once the server has deleted them. */
  undone: StoredScan[]
  /** The last granted scan at the first of the points, whether known there or not. */
  last: EarlierEntry | undefined
}

/** How many came in or out by a granted scan. */
export function personsOf({ moved, persons = 1 }: StoredScan): number {
  return moved ?? persons
}

/** The scans that this device has made, in their order. */
export class ScanStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Stores a new scan and returns it with its place. It is on the disk then. Throws `StorageFull`. */
  add(scan: Omit<StoredScan, 'sequence'>): Promise<StoredScan> {
    return withinQuota(async () => {
      const transaction = this.#database.transaction('scans', 'readwrite', { durability: 'strict' })
      // The store gives it its place.
      const sequence = await transaction.store.add(keptOf(scan as StoredScan))
      await transaction.done
      return { ...scan, sequence }
    })
  }

  /** Stores what has changed of scans, except of those that are forgotten meanwhile. One that was undone meanwhile stays so. */
  async put(scans: readonly StoredScan[]): Promise<void> {
    const transaction = this.#database.transaction('scans', 'readwrite')
    for (const scan of scans) {
      const kept = await transaction.store.get(scan.sequence)
      if (kept) transaction.store.put(keptOf(kept.is_undone ? undoneAs(scan) : scan))
    }
    await transaction.done
  }

  /** Notes of scans that they are about to be sent, and returns those of them that were not withdrawn meanwhile. */
  async claim(scans: readonly StoredScan[]): Promise<StoredScan[]> {
    const claimed: StoredScan[] = []
    const transaction = this.#database.transaction('scans', 'readwrite')
    for (const { sequence } of scans) {
      const kept = await transaction.store.get(sequence)
      if (!kept) continue
      claimed.push(kept)
      if (!kept.is_sent) transaction.store.put({ ...kept, is_sent: true })
    }
    await transaction.done
    return claimed
  }

  /**
   * Undoes a scan: one that was never sent is withdrawn, others are `undoing` once the server has judged them. Returns whether the server has to
   * hear of it.
   */
  async undo(scan: StoredScan): Promise<boolean> {
    const transaction = this.#database.transaction('scans', 'readwrite', { durability: 'strict' })
    // A scan that a snapshot includes is not kept any more.
    const kept = (await transaction.store.get(scan.sequence)) ?? scan
    const wasSent = kept.state !== 'waiting' || kept.is_asked || kept.is_sent === true
    if (wasSent) transaction.store.put(keptOf(undoneAs(kept)))
    else transaction.store.delete(kept.sequence)
    await transaction.done
    return wasSent
  }

  /** The scans of a device whose check-ins the server has to delete. */
  undoing(device_id: string): Promise<StoredScan[]> {
    return this.#database.getAllFromIndex('scans', 'own', [device_id, 'undoing'])
  }

  /** How many check-ins of a device the server has to delete. */
  countUndoing(device_id: string): Promise<number> {
    return this.#database.countFromIndex('scans', 'own', [device_id, 'undoing'])
  }

  /** Stores that the server has deleted the check-in of a scan, or why it does not. */
  async concludeUndo({ sequence }: StoredScan, problem: Problem | null): Promise<void> {
    const transaction = this.#database.transaction('scans', 'readwrite')
    const kept = await transaction.store.get(sequence)
    if (kept && problem === null) transaction.store.put({ ...kept, state: 'undone', undone_at: tick() })
    else if (kept) {
      const { is_undone: _, ...scan } = kept
      transaction.store.put({ ...scan, state: 'confirmed', undo_problem: problem ?? '' })
    }
    await transaction.done
  }

  /** The last scans of a device, newest first. */
  async recent(device_id: string, most: number): Promise<StoredScan[]> {
    const found: StoredScan[] = []
    let cursor = await this.#database.transaction('scans').store.openCursor(null, 'prev')
    while (cursor && found.length < most) {
      if (cursor.value.device_id === device_id) found.push(cursor.value)
      cursor = await cursor.continue()
    }
    return found
  }

  /**
   * The granted scans of a guest by this device at check-in points, whatever the server said of them later, as far as someone who asked the server
   * then cannot know of them, and the undone ones that this one may count.
   */
  async grantsSince(accesspoint_ids: readonly string[], guest: WantedGuest, askedAt: number): Promise<OwnGrants> {
    const found = await Promise.all(accesspoint_ids.map((accesspoint_id) => this.#scansOf(accesspoint_id, guest)))
    const scans = found
      .flat()
      .filter(({ access_status, decided_offline }) => access_status === 0 || decided_offline === 0)
    const granted = scans.filter((scan) => !scan.is_undone && isNews(scan, askedAt))
    const undone = scans.filter((scan) => scan.is_undone && mayBeCounted(scan, askedAt))
    const last = scans.findLast(({ accesspoint_id, is_undone }) => accesspoint_id === accesspoint_ids[0] && !is_undone)
    return {
      granted,
      undone,
      last: last && { access_stamp: last.access_stamp, accesspoint_id: last.accesspoint_id, persons: personsOf(last) },
    }
  }

  /** Whether this device has let a guest in at a check-in point, or has undone that, and the server does not know of it yet. */
  async hasLetIn(accesspoint_id: string, uid: string): Promise<boolean> {
    const scans = await this.#database.getAllFromIndex('scans', 'guest', [accesspoint_id, uid])
    const isUnknownThere = ({ state, decided_offline }: StoredScan): boolean =>
      state === 'undoing' || (state === 'waiting' && decided_offline === 0)
    if (scans.some(isUnknownThere)) return true
    const waiting = await this.#database.getAllFromIndex('scans', 'state', 'waiting')
    const named = waiting.filter((scan) => scan.accesspoint_id === accesspoint_id && isUnknownThere(scan))
    const areOwn = await Promise.all(named.map(({ guest_hash }) => guest_hash && isHashOf(guest_hash, uid)))
    return areOwn.includes(true)
  }

  /** The entries of this device that are kept, oldest first. */
  async entries(): Promise<StoredScan[]> {
    const scans = await this.#database.getAll('scans')
    return scans.filter((scan) => !scan.is_undone && (scan.access_status ?? scan.decided_offline) === 0)
  }

  /** The scans of a guest at a check-in point, also those by a hash, whose uid is not known yet. */
  async #scansOf(accesspoint_id: string, { given, hash, isGuest }: WantedGuest): Promise<StoredScan[]> {
    const waiting = await this.#database.getAllFromIndex('scans', 'state', 'waiting')
    const hashed = waiting.filter((scan) => scan.accesspoint_id === accesspoint_id && scan.guest_hash?.hash === hash)
    if (typeof given === 'string')
      return [...(await this.#database.getAllFromIndex('scans', 'guest', [accesspoint_id, given])), ...hashed]
    const all = await this.#database.getAll('scans')
    const here = all.filter((scan) => scan.accesspoint_id === accesspoint_id && scan.guest_uid !== null)
    const isOwn = await Promise.all(here.map(({ guest_uid }) => isGuest(guest_uid ?? '')))
    return [...here.filter((_, index) => isOwn[index]), ...hashed]
  }

  /** The oldest scans of a device that wait. */
  waitingOf(device_id: string, most: number): Promise<StoredScan[]> {
    return this.#database.getAllFromIndex('scans', 'own', [device_id, 'waiting'], most)
  }

  /** All scans that wait, except those of a device. */
  async waitingOfOthers(device_id: string | undefined): Promise<StoredScan[]> {
    const waiting = await this.#database.getAllFromIndex('scans', 'state', 'waiting')
    return waiting.filter((scan) => scan.device_id !== device_id && !scan.is_undone)
  }

  /** How many scans of a device wait. */
  countWaiting(device_id: string): Promise<number> {
    return this.#database.countFromIndex('scans', 'own', [device_id, 'waiting'])
  }

  /** The scans of a device of which the server has recorded something else than the device has decided, or nothing. */
  refusedOf(device_id: string): Promise<StoredScan[]> {
    return this.#database.getAllFromIndex('scans', 'own', [device_id, 'refused'])
  }

  /**
   * Forgets all scans that the server has judged: nothing is lost, and the next steward sees none of their guests. Those whose check-ins it has yet
   * to delete stay: they go up once this is the same device again.
   */
  async forgetJudged(): Promise<void> {
    const transaction = this.#database.transaction('scans', 'readwrite')
    for (const { sequence, state, access_status, is_undone } of await transaction.store.getAll()) {
      const isJudged = state !== 'waiting' || access_status !== null
      const isToDelete = is_undone && access_status === 0 && state !== 'undone'
      if (isJudged && !isToDelete) transaction.store.delete(sequence)
    }
    await transaction.done
  }

  /** Forgets the scans that were confirmed before `time`: the server has them, and a snapshot that was asked for then knows of them. */
  async prune(time: number): Promise<void> {
    const transaction = this.#database.transaction('scans', 'readwrite')
    for (const { sequence, concluded_at } of await transaction.store.index('state').getAll('confirmed'))
      if ((concluded_at ?? 0) < time) transaction.store.delete(sequence)
    for (const { sequence, undone_at } of await transaction.store.index('state').getAll('undone'))
      if ((undone_at ?? 0) < time) transaction.store.delete(sequence)
    await transaction.done
  }
}

async function isHashOf({ hash, salt }: HashedGuest, uid: string): Promise<boolean> {
  return (await hashUid(salt, uid)) === hash
}

/** What is stored of a scan: not the organizer's note and fields, nor the first name alone, which are for the eyes of the moment. */
function keptOf({ message: _, fields: __, first_name: ___, ...scan }: StoredScan): StoredScan {
  return scan
}

/** A scan that the steward has undone: what the server has let in by it is to be deleted there. */
function undoneAs(scan: StoredScan): StoredScan {
  if (scan.state === 'waiting') return { ...scan, is_undone: true }
  return { ...scan, is_undone: true, state: scan.access_status === 0 ? 'undoing' : 'undone' }
}

/** Whether someone who asked the server then cannot know what it says of a scan. */
function isNews({ concluded_at }: StoredScan, askedAt: number): boolean {
  return concluded_at === null || concluded_at > askedAt
}

/** Whether someone who asked the server then may count an undone scan: until this device hears that its check-in is deleted that is open. */
function mayBeCounted(scan: StoredScan, askedAt: number): boolean {
  const { access_status, undone_at } = scan
  return !isNews(scan, askedAt) && access_status === 0 && (undone_at === undefined || undone_at > askedAt)
}
