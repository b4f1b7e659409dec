import { hash } from 'node:crypto'
import type { KnownGuest } from '@gatehouse/door/snapshot.ts'
import { HASH_BYTES, hashedText } from '@gatehouse/door/uid-hash.ts'
import { REPEAT_AFTER_MS } from '@gatehouse/guests/changes'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { isErased } from '@gatehouse/proto/privacy/blanking.ts'
import type { guests } from '../permissions.ts'

/** A guest, and the hash by which devices know its uid. */
type HashedGuest = KnownGuest & { hash: string }

/** Reports that a guest with this uid is new, has changed or is gone. */
export type ChangeReporter = (uid: string) => void

/** What the guests service answers of a guest. */
type AnsweredGuest = Awaited<ReturnType<Client<typeof guests>['at_door']>>['guests'][number]

/** From this many announced changes on it is cheaper to read all guests. */
const MANY = 10_000
/** A change is looked for by its time for this long, however slowly it was stored and how far clocks are apart. */
const MARGIN_MS = 30_000
const NO_PRIVILEGES: KnownGuest['access_privileges'] = []

/**
 * The guests of an event as devices may know them. After all were read once, a refresh reads those whose change was announced and those whose time of
 * change is recent: a process that dies after a write does not announce it. What is deleted is announced before that, too.
 */
export class KnownGuests {
  readonly #client: Client<typeof guests>
  readonly #event_id: string
  readonly #salt: string
  readonly #byUid = new Map<string, HashedGuest>()
  /** Equal ids are kept once. */
  readonly #categories = new Map<string, string>()
  readonly #stale = new Set<string>()
  /** Uids that guests are about to lose, and until when. */
  readonly #doubtfulUntil = new Map<string, number>()
  /** Counts the times when any guest may have changed, and those of them after which all were read. */
  #invalidations = 1
  #read = 0
  /** Which categories allowed names, and which guest fields devices showed, at the last refresh. */
  #named = ''
  /** When the last refresh began. */
  #refreshedAt = 0

  constructor(client: Client<typeof guests>, event_id: string, salt: string) {
    this.#client = client
    this.#event_id = event_id
    this.#salt = salt
  }

  get size(): number {
    return this.#byUid.size
  }

  /** All uids. */
  uids(): Iterable<string> {
    return this.#byUid.keys()
  }

  get(uid: string): HashedGuest | undefined {
    return this.#byUid.get(uid)
  }

  /** Guests with these uids have come, changed or gone. */
  invalidate(uids: string[]): void {
    for (const uid of uids) this.#stale.add(uid)
  }

  /** Guests with these uids are about to lose them: a process that dies then does not announce that they did. */
  doubt(uids: string[]): void {
    const until = Date.now() + REPEAT_AFTER_MS
    for (const uid of uids) this.#doubtfulUntil.set(uid, until)
  }

  /** Any guest may have changed. */
  invalidateAll(): void {
    this.#invalidations++
  }

  /** Reads what has changed before the call. `named` says which categories allow names and which fields are shown: if it has changed, so have guests. */
  async refresh(named: string, mark: ChangeReporter): Promise<void> {
    const [begun, invalidations, since] = [Date.now(), this.#invalidations, this.#refreshedAt - MARGIN_MS]
    const stale = new Set([...this.#stale, ...this.#doubtfulUntil.keys()])
    this.#stale.clear()
    for (const [uid, until] of this.#doubtfulUntil) if (until < begun) this.#doubtfulUntil.delete(uid)
    const readsAll = this.#read < invalidations || named !== this.#named || stale.size > MANY
    this.#read = 0
    if (readsAll || !(await this.#readChanged([...stale], new Date(since), mark))) await this.#readAll(mark)
    this.#read = invalidations
    this.#named = named
    this.#refreshedAt = begun
  }

  /** False if there are too many. */
  async #readChanged(uids: string[], changed_since: Date, mark: ChangeReporter): Promise<boolean> {
    const event_id = this.#event_id
    const recent = await this.#client.at_door({ body: { event_id, changed_since } })
    if (!recent.is_whole) return false
    for (const guest of recent.guests) this.#put(guest, mark)
    const found = await inChunks(uids, async (chunk) => {
      return (await this.#client.at_door({ body: { event_id, uids: chunk } })).guests
    })
    for (const guest of found) this.#put(guest, mark)
    const known = new Set(found.map(({ uid }) => uid))
    for (const uid of uids) if (!known.has(uid)) this.#remove(uid, mark)
    return true
  }

  async #readAll(mark: ChangeReporter): Promise<void> {
    const seen = new Set<string>()
    let after: string | undefined
    do {
      const body = { event_id: this.#event_id, ...(after !== undefined && { after }) }
      const page = await this.#client.at_door({ body })
      await timeSlicer.map(page.guests, (guest) => {
        seen.add(guest.uid)
        this.#put(guest, mark)
      })
      after = page.last
    } while (after !== undefined)
    await timeSlicer.map([...this.#byUid.keys()], (uid) => {
      if (!seen.has(uid)) this.#remove(uid, mark)
    })
  }

  #put(
    { uid, guest_category_id, access_privileges, party_size = 1, ...personal }: AnsweredGuest,
    mark: ChangeReporter,
  ): void {
    // What is left of a guest stays counted, and enters no more.
    if (isErased(uid)) return this.#remove(uid, mark)
    const known = this.#byUid.get(uid)
    const guest: HashedGuest = {
      hash: known?.hash ?? hashOf(this.#salt, uid),
      guest_category_id: this.#categories.getOrInsert(guest_category_id, guest_category_id),
      access_privileges: access_privileges.length > 0 ? access_privileges : NO_PRIVILEGES,
      ...(party_size !== 1 && { party_size }),
      ...personal,
    }
    if (known && isSame(known, guest)) return
    this.#byUid.set(uid, guest)
    mark(uid)
  }

  #remove(uid: string, mark: ChangeReporter): void {
    if (this.#byUid.delete(uid)) mark(uid)
  }
}

/** The hash by which devices know a uid, as `hashUid` gives it. */
export function hashOf(salt: string, uid: string): string {
  return hash('sha256', hashedText(salt, uid), 'latin1').slice(0, HASH_BYTES)
}

function isSame(one: KnownGuest, other: KnownGuest): boolean {
  return (
    one.guest_category_id === other.guest_category_id &&
    one.party_size === other.party_size &&
    one.first_name === other.first_name &&
    one.last_name === other.last_name &&
    one.company_name === other.company_name &&
    one.position === other.position &&
    one.message === other.message &&
    JSON.stringify(one.guest_metadata) === JSON.stringify(other.guest_metadata) &&
    (one.access_privileges === other.access_privileges ||
      JSON.stringify(one.access_privileges) === JSON.stringify(other.access_privileges))
  )
}
