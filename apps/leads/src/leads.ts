import { readCode } from '../../shared/src/codes/code.ts'
import { Reachability } from '../../shared/src/server/reachability.ts'
import { StorageFull } from '../../shared/src/storage/quota.ts'
import type { StoredLead } from './lead/lead.ts'
import { exchange, ServerClient } from './server/server.ts'
import { Sync } from './server/sync.ts'
import { type Database, openDatabase, type StoredStand } from './storage/database.ts'
import { isUnsent, LeadStore } from './storage/lead-store.ts'
import { changeStand, loadStand, replaceStand } from './storage/stand.ts'

/** Why the last code became no lead: it is no guest's, or the phone has no room. */
export type Notice = 'unread' | 'full'

/** What collects leads with a token: it ends when the organizer ends the token, or the phone goes to another stand. */
interface Work {
  sync: Sync
  reachability: Reachability
}

/** The app without its looks: whose phone this is, and the leads that it knows of. */
export class Leads {
  /** The stand of this phone; undefined until it is enrolled. */
  stand: StoredStand | undefined
  /** The leads of the stand, the newest first. */
  all: StoredLead[] = []
  /** Leads of other stands that this phone has collected and that never reached the server. */
  stranded: StoredLead[] = []
  /** The key of the lead that was scanned last. */
  scanned: string | undefined
  notice: Notice | undefined

  readonly #database: Database
  readonly #store: LeadStore
  readonly #changed: () => void
  #work: Work | undefined

  private constructor(database: Database, changed: () => void) {
    this.#database = database
    this.#store = new LeadStore(database)
    this.#changed = changed
  }

  /** Opens what is on this phone. `changed` is called after whatever there is to see has changed. */
  static async open(changed: () => void): Promise<Leads> {
    const database = await openDatabase()
    const leads = new Leads(database, changed)
    await leads.#start(await loadStand(database))
    return leads
  }

  /** Whether the server answers in time. */
  get isUp(): boolean {
    return this.#work?.reachability.isUp ?? false
  }

  /** How many leads the server does not have yet as they are here. */
  get waiting(): number {
    return this.all.filter((lead) => isUnsent(lead) && lead.state !== 'refused').length
  }

  /** Makes this a phone of the stand of a code. */
  async enrol(code: string, key: string): Promise<void> {
    const given = await exchange(code, key)
    this.#end()
    if (this.stand?._id !== given._id) await this.#store.forgetSent()
    await navigator.storage.persist().catch(() => false)
    const { _id, name, event_id, access_token } = given
    const stand = { _id, name, event_id, access_token, author: this.stand?.author ?? '' }
    await replaceStand(this.#database, stand)
    await this.#start(stand)
  }

  /** Sets who scans with this phone. */
  async setAuthor(author: string): Promise<void> {
    if (!this.stand) return
    this.stand = await changeStand(this.#database, this.stand.access_token, { author })
    this.#changed()
  }

  /** Makes a lead of a scanned code, or the likeliest of several readings of it. The lead is stored before anything is shown. */
  async scan(scanned: string | readonly string[]): Promise<void> {
    const { stand } = this
    if (!stand) return
    const content = (typeof scanned === 'string' ? scanned : (scanned[0] ?? '')).trim()
    const code = readCode(content)
    if (!code) return this.#notify('unread')
    const known = code.kind === 'uid' ? code : undefined
    const made: StoredLead = {
      exhibitor_id: stand._id,
      key: known?.uid ?? content,
      guest_uid: known?.uid ?? null,
      name: known?.name ?? null,
      guest: null,
      author: stand.author,
      created_at: new Date().toISOString(),
      note: '',
      rating: null,
      revision: 0,
      change: null,
      state: 'waiting',
      problem: null,
    }
    await this.#unlessFull(async () => {
      const { key } = await this.#store.add(made)
      this.scanned = key
      this.notice = undefined
      await this.#load()
      this.#send()
    })
  }

  /** Stores what the stand notes of a guest. */
  async judge(lead: StoredLead, judgement: Pick<StoredLead, 'note' | 'rating'>): Promise<void> {
    await this.#unlessFull(async () => {
      await this.#store.judge(lead, judgement)
      await this.#load()
      this.#send()
    })
  }

  #notify(notice: Notice): void {
    this.notice = notice
    this.scanned = undefined
    this.#changed()
  }

  async #unlessFull(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error
      this.#notify('full')
    }
  }

  #send(): void {
    const { sync, reachability } = this.#work ?? {}
    if (reachability?.isUp) void sync?.send()
  }

  async #start(stand: StoredStand | undefined): Promise<void> {
    this.stand = stand
    this.scanned = undefined
    if (!stand?.access_token) await this.#store.forgetSent()
    this.#begin()
    await this.#load()
  }

  /** Begins to work for the stand, if the phone has a token. */
  #begin(): void {
    const { stand } = this
    if (!stand?.access_token) return
    const { _id: exhibitor_id, access_token } = stand
    const server = new ServerClient(location.origin, access_token, () => void this.#revoke(access_token))
    const sync = new Sync({ exhibitor_id, store: this.#store, server, changed: () => void this.#load() })
    const reachability = new Reachability(
      () => sync.receive(),
      () => this.#changed(),
      () => void sync.send(),
    )
    this.#work = { sync, reachability }
    reachability.start()
  }

  #end(): void {
    this.#work?.reachability.stop()
    this.#work = undefined
  }

  /** The organizer has ended a token: what the server has is wiped, but not what it does not have. */
  async #revoke(access_token: string): Promise<void> {
    const kept = await changeStand(this.#database, access_token, { access_token: null })
    // Several requests hear of it, and this may be another stand's phone by then.
    if (this.stand?.access_token !== access_token) return
    this.#end()
    await this.#start(kept)
  }

  async #load(): Promise<void> {
    const id = this.stand?.access_token ? this.stand._id : undefined
    const [all, stranded] = await Promise.all([id ? this.#store.all(id) : [], this.#store.unsentOfOthers(id)])
    Object.assign(this, { all, stranded })
    // A ciphered code has the guest's uid as soon as it is read.
    if (!all.some(({ key }) => key === this.scanned)) this.scanned = undefined
    this.#changed()
  }
}
