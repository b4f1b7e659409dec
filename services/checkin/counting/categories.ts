import type { Client } from '@gatehouse/proto/bus/client.ts'
import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import type { guests } from '../permissions.ts'
import type { Admissions } from './admissions.ts'

/** Uids in one request, and in one refresh without an announcement. */
const FETCH_SIZE = 500
/** Requests at once. */
const MAX_CONCURRENT_FETCHES = 4
/** From this many guests on it is cheaper to read all of the event. */
const MANY = 10_000
/** How often some are refreshed, in case an announcement is lost. */
const REFRESH_MS = 10_000

/** Keeps the categories and parties of guests who were let in up to date: asks for new guests and for those whose change was announced. */
export class Categories {
  readonly #client: Client<typeof guests>
  readonly #event_id: string
  readonly #admissions: Admissions
  /** Guests with smaller numbers have been asked for. */
  #known = 0
  #stale = new Set<number>()
  #refreshed = { at: 0, next: 0 }

  constructor(client: Client<typeof guests>, event_id: string, admissions: Admissions) {
    this.#client = client
    this.#event_id = event_id
    this.#admissions = admissions
  }

  /** Guests with these uids have changed, come or gone. */
  invalidate(uids: string[]): void {
    for (const uid of uids) {
      const guest = this.#admissions.numberOf(uid)
      if (guest !== undefined && guest < this.#known) this.#stale.add(guest)
    }
  }

  /** Any guest may have changed. */
  invalidateAll(): void {
    this.#known = 0
    this.#stale.clear()
  }

  /** Sets the categories of all guests to those of some time after the call. */
  async refresh(): Promise<void> {
    const { uids } = this.#admissions
    const from = this.#known
    const due = new Set(this.#stale)
    this.#stale.clear()
    this.#known = uids.length
    for (const guest of this.#dueForRefresh(from)) due.add(guest)
    for (let guest = from; guest < uids.length && due.size <= MANY; guest++) due.add(guest)
    try {
      if (due.size > MANY) await this.#askForAll()
      else await this.#ask([...due])
    } catch (error) {
      this.#known = Math.min(from, this.#known)
      for (const guest of due) this.#stale.add(guest)
      throw error
    }
  }

  #dueForRefresh(known: number): number[] {
    const { at, next } = this.#refreshed
    if (performance.now() - at < REFRESH_MS) return []
    const end = Math.min(next + FETCH_SIZE, known)
    this.#refreshed = { at: performance.now(), next: end === known ? 0 : end }
    return Array.from({ length: Math.max(0, end - next) }, (_, index) => next + index)
  }

  async #ask(due: number[]): Promise<void> {
    const ask = async (asked: number[]): Promise<[]> => {
      const uids = asked.map((guest) => this.#admissions.uids[guest] as string)
      const found = await this.#client.resolve({ body: { event_id: this.#event_id, uids } })
      const byUid = new Map(found.map((guest) => [guest.uid, guest]))
      for (const [index, guest] of asked.entries()) {
        const { guest_category_id, party_size } = byUid.get(uids[index] as string) ?? {}
        this.#admissions.setGuest(guest, guest_category_id, party_size)
      }
      return []
    }
    await inChunks(due, ask, { size: () => FETCH_SIZE, concurrency: MAX_CONCURRENT_FETCHES })
  }

  async #askForAll(): Promise<void> {
    const seen = new Uint8Array(this.#admissions.uids.length)
    let after: string | undefined
    do {
      const body = { event_id: this.#event_id, ...(after !== undefined && { after }) }
      const { categories, last } = await this.#client.categories({ body })
      for (const { guest_category_id, uids, parties = [] } of categories) {
        const sizes = new Map(parties.map(({ uid, party_size }) => [uid, party_size]))
        for (const uid of uids) {
          const guest = this.#admissions.numberOf(uid)
          if (guest === undefined) continue
          seen[guest] = 1
          this.#admissions.setGuest(guest, guest_category_id, sizes.get(uid))
        }
      }
      after = last
    } while (after !== undefined)
    for (const [guest, was] of seen.entries()) if (!was) this.#admissions.setGuest(guest, undefined, undefined)
  }
}
