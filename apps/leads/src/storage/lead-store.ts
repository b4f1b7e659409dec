import { withinQuota } from '../../../shared/src/storage/quota.ts'
import { changed, leadOf, merged, type ServerLead, type StoredLead } from '../lead/lead.ts'
import type { Database } from './database.ts'

/** The leads that this phone knows of, its own and those of the stand's other phones. */
export class LeadStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The leads of an exhibitor, the newest first. */
  async all(exhibitor_id: string): Promise<StoredLead[]> {
    const leads = await this.#database.getAll('leads', rangeOf(exhibitor_id))
    return leads.toSorted((one, other) => other.created_at.localeCompare(one.created_at))
  }

  /** The leads of other exhibitors that the server does not have. */
  async unsentOfOthers(exhibitor_id: string | undefined): Promise<StoredLead[]> {
    const leads = await this.#database.getAll('leads')
    return leads.filter((lead) => lead.exhibitor_id !== exhibitor_id && isUnsent(lead))
  }

  /** Stores a new lead unless it is known, and returns the one that is stored. It is on the disk then. Throws `StorageFull`. */
  add(lead: StoredLead): Promise<StoredLead> {
    return withinQuota(async () => {
      const transaction = this.#database.transaction('leads', 'readwrite', { durability: 'strict' })
      const known = await transaction.store.get([lead.exhibitor_id, lead.key])
      if (!known) transaction.store.put(lead)
      await transaction.done
      return known ?? lead
    })
  }

  /** Stores what the stand has noted of a guest. It is on the disk then. Throws `StorageFull`. */
  judge(lead: StoredLead, judgement: Pick<StoredLead, 'note' | 'rating'>): Promise<StoredLead | undefined> {
    const change = crypto.randomUUID()
    return withinQuota(() => this.#change(lead, (kept) => ({ ...kept, ...judgement, change }), 'strict'))
  }

  /** The leads of an exhibitor that wait to be sent. */
  waiting(exhibitor_id: string): Promise<StoredLead[]> {
    return this.#database.getAllFromIndex('leads', 'state', [exhibitor_id, 'waiting'])
  }

  /** The leads of an exhibitor that the server has, but not as they are here. */
  async changed(exhibitor_id: string): Promise<StoredLead[]> {
    const sent = await this.#database.getAllFromIndex('leads', 'state', [exhibitor_id, 'sent'])
    return sent.filter(({ change }) => change !== null)
  }

  /** Stores what a ciphered code says. The guest may be a lead already: then what was noted of both is one change. */
  async identify(lead: StoredLead, guest_uid: string, name: string | null): Promise<void> {
    const transaction = this.#database.transaction('leads', 'readwrite')
    const { exhibitor_id, key } = lead
    const kept = await transaction.store.get([exhibitor_id, key])
    const known = await transaction.store.get([exhibitor_id, guest_uid])
    if (kept) {
      transaction.store.delete([exhibitor_id, key])
      const identified = { ...kept, key: guest_uid, guest_uid, name: name ?? kept.name, problem: null }
      transaction.store.put(known ? joined(known, identified) : identified)
    }
    await transaction.done
  }

  /** Stores that the server does not take a lead, or why it waits. */
  async explain(lead: StoredLead, problem: string, state = lead.state): Promise<void> {
    await this.#change(lead, (kept) => ({ ...kept, problem, state }))
  }

  /** Stores that the server has leads. */
  async markSent(leads: readonly StoredLead[]): Promise<void> {
    for (const lead of leads) await this.#change(lead, (kept) => ({ ...kept, state: 'sent', problem: null }))
  }

  /** Stores the server's answer to a change. */
  async conclude(sent: StoredLead, own: ServerLead): Promise<void> {
    await this.#change(sent, (kept) => changed(kept, sent, own))
  }

  /** Stores what the server has of an exhibitor's leads; all of them if `isWhole`: then others that were sent are forgotten. */
  async receive(exhibitor_id: string, leads: readonly ServerLead[], isWhole: boolean): Promise<void> {
    const transaction = this.#database.transaction('leads', 'readwrite')
    for (const own of leads) {
      const kept = await transaction.store.get([exhibitor_id, own.guest_uid])
      transaction.store.put(kept ? merged(kept, own) : leadOf(exhibitor_id, own))
    }
    if (isWhole) {
      const uids = new Set(leads.map(({ guest_uid }) => guest_uid))
      for (const { key, state, change } of await transaction.store.getAll(rangeOf(exhibitor_id)))
        if (state === 'sent' && change === null && !uids.has(key)) transaction.store.delete([exhibitor_id, key])
    }
    await transaction.done
  }

  /** Forgets all leads that the server has. */
  async forgetSent(): Promise<void> {
    const transaction = this.#database.transaction('leads', 'readwrite')
    for (const lead of await transaction.store.getAll())
      if (!isUnsent(lead)) transaction.store.delete([lead.exhibitor_id, lead.key])
    await transaction.done
  }

  async #change(
    { exhibitor_id, key }: StoredLead,
    change: (kept: StoredLead) => StoredLead,
    durability: IDBTransactionDurability = 'default',
  ): Promise<StoredLead | undefined> {
    const transaction = this.#database.transaction('leads', 'readwrite', { durability })
    const kept = await transaction.store.get([exhibitor_id, key])
    const news = kept && change(kept)
    if (news) transaction.store.put(news)
    await transaction.done
    return news
  }
}

/** Whether a phone has something of a lead that the server does not have. */
export function isUnsent({ state, change }: StoredLead): boolean {
  return state !== 'sent' || change !== null
}

/** A lead that was scanned twice, once by a code that nobody could read. */
function joined(known: StoredLead, other: StoredLead): StoredLead {
  if (other.change === null) return known
  const note = [known.note, other.note].filter(Boolean).join('\n')
  return { ...known, note, rating: other.rating ?? known.rating, change: other.change }
}

/** The keys of an exhibitor's leads. */
function rangeOf(exhibitor_id: string): IDBKeyRange {
  return IDBKeyRange.bound([exhibitor_id], [exhibitor_id, []])
}
