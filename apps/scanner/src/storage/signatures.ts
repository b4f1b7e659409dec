import { withinQuota } from '../../../shared/src/storage/quota.ts'
import type { StoredSignature } from '../signing/signature.ts'
import type { Database } from './database.ts'

/** The signatures that the server does not have, in their order. */
export class SignatureStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Stores a new signature. It is on the disk then. Throws `StorageFull`. */
  async add(signature: Omit<StoredSignature, 'sequence'>): Promise<void> {
    await withinQuota(async () => {
      const transaction = this.#database.transaction('signatures', 'readwrite', { durability: 'strict' })
      // The store gives it its place.
      await transaction.store.add(signature as StoredSignature)
      await transaction.done
    })
  }

  /** Forgets signatures that the server has, and stores what it says of others. */
  async conclude(sent: readonly StoredSignature[], refused: readonly StoredSignature[]): Promise<void> {
    const transaction = this.#database.transaction('signatures', 'readwrite')
    for (const { sequence } of sent) transaction.store.delete(sequence)
    for (const signature of refused) transaction.store.put(signature)
    await transaction.done
  }

  /** The oldest signatures of a device that wait. */
  waitingOf(device_id: string, most: number): Promise<StoredSignature[]> {
    return this.#database.getAllFromIndex('signatures', 'own', [device_id, 'waiting'], most)
  }

  /** All signatures that wait, also those of an earlier device. */
  waiting(): Promise<StoredSignature[]> {
    return this.#database.getAllFromIndex('signatures', 'state', 'waiting')
  }

  /** How many signatures wait: of a device, or of all that this one has been. */
  countWaiting(device_id?: string): Promise<number> {
    if (device_id === undefined) return this.#database.countFromIndex('signatures', 'state', 'waiting')
    return this.#database.countFromIndex('signatures', 'own', [device_id, 'waiting'])
  }

  /** The signatures that the server does not take. */
  refused(): Promise<StoredSignature[]> {
    return this.#database.getAllFromIndex('signatures', 'state', 'refused')
  }
}
