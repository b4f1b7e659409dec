import { GatehouseError } from '../../../../clients/typescript/client.ts'
import { readCode } from '../../../shared/src/codes/code.ts'
import type { StoredLead } from '../lead/lead.ts'
import type { LeadStore } from '../storage/lead-store.ts'
import type { ServerClient } from './server.ts'

interface SyncOptions {
  exhibitor_id: string
  store: LeadStore
  server: ServerClient
  /** Called when what is stored has changed. */
  changed: () => void
}

/** Items of a batch: a few seconds even on a bad network. */
const MAX_BATCH = 500
/** Two servers may differ by so much in what time it is. */
const OVERLAP_MS = 30_000
/** How often all leads are asked for: a list of what is new does not tell what was deleted. */
const WHOLE_EVERY_MS = 600_000
const FORBIDDEN = 403
/** Statuses that are about the lead itself: asking again would change nothing. */
const FINAL = new Set([404, 422])

/** Brings what this phone and the server have of a stand's leads together. */
export class Sync {
  readonly #options: SyncOptions
  /** The latest change that the server has told of. */
  #newest: string | undefined
  #wholeAt = Number.NEGATIVE_INFINITY
  #sending: Promise<void> | undefined
  #hasMore = false

  constructor(options: SyncOptions) {
    this.#options = options
  }

  /** Asks for what is new on the server. Throws if it does not answer. */
  async receive(): Promise<void> {
    const { exhibitor_id, store, server, changed } = this.#options
    const now = performance.now()
    const isWhole = this.#newest === undefined || now - this.#wholeAt > WHOLE_EVERY_MS
    const ask = async () => {
      const leads = await server.leads(isWhole ? undefined : before(this.#newest))
      await store.receive(exhibitor_id, leads, isWhole)
      return leads
    }
    // Not while leads are sent: a whole list that was made before must not forget them.
    const news = isWhole ? await navigator.locks.request('leads', ask) : await ask()
    if (isWhole) this.#wholeAt = now
    for (const { updated_at } of news) if (updated_at > (this.#newest ?? '')) this.#newest = updated_at
    this.#newest ??= new Date(0).toISOString()
    if (news.length > 0 || isWhole) changed()
  }

  /** Sends what waits, and asks for what has come of it. Ends when nothing waits or the server does not answer. */
  send(): Promise<void> {
    this.#hasMore = true
    this.#sending ??= this.#sendAll()
      .catch((error: unknown) => {
        // What waits is sent at the next contact.
        if (!(error instanceof GatehouseError)) throw error
      })
      .finally(() => {
        this.#sending = undefined
      })
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    // What is scanned while something is sent is sent next.
    while (this.#hasMore) {
      this.#hasMore = false
      if (await navigator.locks.request('leads', () => this.#send())) await this.receive()
    }
  }

  /** Returns whether there was something to send. */
  async #send(): Promise<boolean> {
    const { exhibitor_id, store, changed } = this.#options
    let hasChanged = false
    try {
      for (const lead of await store.waiting(exhibitor_id)) {
        if (lead.guest_uid !== null) continue
        await this.#identify(lead)
        hasChanged = true
      }
      const waiting = (await store.waiting(exhibitor_id)).filter(({ guest_uid }) => guest_uid !== null)
      for (let from = 0; from < waiting.length; from += MAX_BATCH) {
        await this.#create(waiting.slice(from, from + MAX_BATCH))
        hasChanged = true
      }
      for (const lead of await store.changed(exhibitor_id)) {
        await this.#change(lead)
        hasChanged = true
      }
    } finally {
      if (hasChanged) changed()
    }
    return hasChanged
  }

  /** Has the server read a ciphered code. Where the page has no licence, the lead waits. */
  async #identify(lead: StoredLead): Promise<void> {
    const { store, server } = this.#options
    try {
      const code = readCode(await server.decipher(lead.key))
      if (code?.kind === 'uid') await store.identify(lead, code.uid, code.name ?? null)
      else await store.explain(lead, 'content is no code of a guest', 'refused')
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error
      if (error.status === FORBIDDEN) await store.explain(lead, error.message)
      else if (FINAL.has(error.status)) await store.explain(lead, error.message, 'refused')
      else throw error
    }
  }

  async #create(leads: readonly StoredLead[]): Promise<void> {
    const { store, server } = this.#options
    try {
      const problems = await server.create(leads)
      await store.markSent(leads.filter((_, index) => problems[index] === null))
      for (const [index, lead] of leads.entries()) {
        const problem = problems[index] ?? null
        if (problem !== null) await store.explain(lead, problem, 'refused')
      }
    } catch (error) {
      // The organizer has closed the event's leads for now.
      if (error instanceof GatehouseError && error.status === FORBIDDEN)
        for (const lead of leads) await store.explain(lead, error.message)
      throw error
    }
  }

  async #change(lead: StoredLead): Promise<void> {
    const { store, server } = this.#options
    try {
      await store.conclude(lead, await server.change(lead))
    } catch (error) {
      if (!(error instanceof GatehouseError && FINAL.has(error.status))) throw error
      await store.explain(lead, error.message, 'refused')
    }
  }
}

function before(stamp: string | undefined): string | undefined {
  return stamp === undefined ? undefined : new Date(Math.max(0, Date.parse(stamp) - OVERLAP_MS)).toISOString()
}
