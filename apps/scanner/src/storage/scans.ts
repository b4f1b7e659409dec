import type { StoredScan } from '../scanning/scan.ts'
import type { Database } from './database.ts'
import { withinQuota } from './quota.ts'

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
      const sequence = await transaction.store.add(scan as StoredScan)
      await transaction.done
      return { ...scan, sequence }
    })
  }

  /** Stores what has changed of scans. */
  async put(scans: readonly StoredScan[]): Promise<void> {
    const transaction = this.#database.transaction('scans', 'readwrite')
    for (const scan of scans) transaction.store.put(scan)
    await transaction.done
  }

  /**
   * How often this device has let a guest in at a check-in point, whatever the server said of it later, as far as someone who asked the server
   * then cannot know of it.
   */
  async grantsSince(accesspoint_id: string, uid: string, askedAt: number): Promise<number> {
    const scans = await this.#database.getAllFromIndex('scans', 'guest', [accesspoint_id, uid])
    return scans.filter(
      ({ access_status, decided_offline, concluded_at }) =>
        (access_status === 0 || decided_offline === 0) && (concluded_at === null || concluded_at > askedAt),
    ).length
  }

  /** Whether this device has let a guest in at a check-in point by itself, and the server does not know of it yet. */
  async hasLetIn(accesspoint_id: string, uid: string): Promise<boolean> {
    const scans = await this.#database.getAllFromIndex('scans', 'guest', [accesspoint_id, uid])
    return scans.some(({ state, decided_offline }) => state === 'waiting' && decided_offline === 0)
  }

  /** The oldest scans of a device that wait. */
  waitingOf(device_id: string, most: number): Promise<StoredScan[]> {
    return this.#database.getAllFromIndex('scans', 'own', [device_id, 'waiting'], most)
  }

  /** All scans that wait, except those of a device. */
  async waitingOfOthers(device_id: string | undefined): Promise<StoredScan[]> {
    const waiting = await this.#database.getAllFromIndex('scans', 'state', 'waiting')
    return waiting.filter((scan) => scan.device_id !== device_id)
  }

  /** How many scans wait: of a device, or of all that this one has been. */
  countWaiting(device_id?: string): Promise<number> {
    if (device_id === undefined) return this.#database.countFromIndex('scans', 'state', 'waiting')
    return this.#database.countFromIndex('scans', 'own', [device_id, 'waiting'])
  }

  /** The scans of a device of which the server has recorded something else than the device has decided, or nothing. */
  refusedOf(device_id: string): Promise<StoredScan[]> {
    return this.#database.getAllFromIndex('scans', 'own', [device_id, 'refused'])
  }

  /** Forgets all scans that the server has judged: nothing is lost, and the next steward sees none of their guests. */
  async forgetJudged(): Promise<void> {
    const transaction = this.#database.transaction('scans', 'readwrite')
    for (const { sequence, state, access_status } of await transaction.store.getAll())
      if (state !== 'waiting' || access_status !== null) transaction.store.delete(sequence)
    await transaction.done
  }

  /** Forgets the scans that were confirmed before `time`: the server has them, and a snapshot that was asked for then knows of them. */
  async prune(time: number): Promise<void> {
    const transaction = this.#database.transaction('scans', 'readwrite')
    for (const { sequence, concluded_at } of await transaction.store.index('state').getAll('confirmed'))
      if ((concluded_at ?? 0) < time) transaction.store.delete(sequence)
    await transaction.done
  }
}
