import type { Entry, PrintState, StoredPrint } from '../printing/print.ts'
import type { Database, StoredStation } from './database.ts'

/** The badges that this station knows of. */
export class PrintStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The station, if it was ever set up. */
  station(): Promise<StoredStation | undefined> {
    return this.#database.get('station', 'own')
  }

  /** Keeps a station. The badges of another event are forgotten. */
  async setUp(station: StoredStation): Promise<StoredStation> {
    const transaction = this.#database.transaction(['station', 'prints'], 'readwrite')
    const before = await transaction.objectStore('station').get('own')
    // Set up anew it goes on from where it was.
    const kept = before?._id === station._id ? { ...station, since: before.since } : station
    transaction.objectStore('station').put(kept, 'own')
    if (before?.event_id !== station.event_id) transaction.objectStore('prints').clear()
    await transaction.done
    return kept
  }

  /** Notes that the organizer has revoked a station's token. */
  async revoke(token: string): Promise<void> {
    const transaction = this.#database.transaction(['station', 'prints'], 'readwrite')
    const kept = await transaction.objectStore('station').get('own')
    if (kept?.token === token) transaction.objectStore('station').put({ ...kept, token: null }, 'own')
    await transaction.done
  }

  /** All badges, the latest entry first. */
  async all(): Promise<StoredPrint[]> {
    const prints = await this.#database.getAll('prints')
    return prints.toSorted((one, other) => other.access_stamp.localeCompare(one.access_stamp))
  }

  /**
   * Takes a badge for the printer. It is on the disk then, so that a station that dies does not print it again. Returns false if another window has
   * taken it.
   */
  async claim({ guest_uid, access_stamp }: Entry, name: string, isAgain: boolean): Promise<boolean> {
    const transaction = this.#database.transaction('prints', 'readwrite', { durability: 'strict' })
    const known = await transaction.store.get(guest_uid)
    const isFree = isAgain || known === undefined
    if (isFree)
      transaction.store.put({
        guest_uid,
        name,
        access_stamp,
        state: 'printing',
        printed_at: new Date().toISOString(),
      })
    await transaction.done
    return isFree
  }

  /** Notes how a print has ended. */
  async conclude(guest_uid: string, state: PrintState): Promise<void> {
    const transaction = this.#database.transaction('prints', 'readwrite')
    const print = await transaction.store.get(guest_uid)
    if (print) transaction.store.put({ ...print, state })
    await transaction.done
  }
}
