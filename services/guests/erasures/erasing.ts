import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import type { Person, personalDataOf, Subject } from '@gatehouse/proto/declaring/personal-data.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { heldList } from '@gatehouse/proto/storage/documents.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import type { People } from './people.ts'
import type { ErasureSubject } from './resource.ts'
import type { ErasureStore, Pass, StoredErasure } from './store.ts'

/** What an erasure needs until its end, and nobody may know afterwards. */
interface Secret {
  asked: ErasureSubject
  /** Undefined until the erasure begins, and for everybody. */
  person?: Person | undefined
  /** What pseudonyms are made with. */
  key: string
}

/** Clients of the services that hold personal data. */
export type PersonalDataClients = { name: string; client: Client<ReturnType<typeof personalDataOf>> }[]

interface ErasingOptions {
  store: ErasureStore
  people: People
  encrypter: Encrypter
  services: PersonalDataClients
  log: Log
  /** When the second pass follows the first, in ms. */
  secondPassMs: number
}

/** A claim is renewed while its process works: one that is over is that of a dead process. */
const CLAIM_MS = 6_000
const RENEW_MS = 1_500
const LOOK_EVERY_MS = 2_000
const IDLE_LOOK_MS = 8_000
const MAX_AT_ONCE = 10
const MAX_DELAY_MS = 3_600_000
/** How long the end of a process waits for an erasure. */
const STOP_TIMEOUT_MS = 2_000

/**
 * Erases personal data in all services, one service after the other. An erasure is stored before it begins and after each step, so that any
 * process goes on where another one died. A second pass finds what was on its way during the first: scans, mails, webhooks.
 */
export class Erasing {
  readonly #options: ErasingOptions
  readonly #poller: Poller

  constructor(options: ErasingOptions) {
    this.#options = options
    this.#poller = new Poller({
      everyMs: LOOK_EVERY_MS,
      idleMs: IDLE_LOOK_MS,
      look: (signal) => this.#look(signal),
      onError: (error) => options.log.warn({ err: error }, 'erasures cannot be read'),
    })
  }

  /** What is stored of a new erasure. */
  begin(asked: ErasureSubject): Pick<StoredErasure, 'sealed' | 'passes' | 'due' | 'claim' | 'failures'> {
    const sealed = this.#seal({ asked, key: randomBytes(32).toString('base64') })
    return { sealed, passes: [noPass()], due: new Date(), claim: null, failures: 0 }
  }

  /** Begins to look for erasures that are due. */
  start(): void {
    this.#poller.wake()
  }

  /** Another process goes on with what is not done by then. */
  async stop(): Promise<void> {
    await Promise.race([this.#poller.stop(), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
  }

  /** Works on an erasure until it is done, someone else does, or it fails: then it goes on later. */
  async work(erasure: StoredErasure): Promise<void> {
    const claimed = await this.#options.store.claim(erasure, claimEnd())
    if (!claimed) return
    const renewing = setInterval(() => {
      this.#options.store.update(claimed, { due: claimEnd() }).catch(() => {})
    }, RENEW_MS)
    try {
      await this.#erase(claimed)
    } catch (error) {
      const { _id, event_id, failures } = claimed
      this.#options.log.warn({ err: error, erasure: _id, event_id, failures }, 'an erasure failed; it will be retried')
      const due = new Date(Date.now() + Math.min(LOOK_EVERY_MS * 2 ** failures, MAX_DELAY_MS))
      await this.#options.store.update(claimed, { failures: failures + 1, due, claim: null })
    } finally {
      clearInterval(renewing)
    }
  }

  /** Returns whether any was due. */
  async #look(signal: AbortSignal): Promise<boolean> {
    const due = await this.#options.store.due(MAX_AT_ONCE)
    for (const erasure of due) if (!signal.aborted) await this.work(erasure)
    return due.length > 0
  }

  async #erase(claimed: StoredErasure): Promise<void> {
    const { store, people, encrypter, services } = this.#options
    const { account_id, event_id, with_account, everybody, sealed } = claimed
    if (!sealed) return
    const secret = JSON.parse(encrypter.decrypt(sealed)) as Secret
    const steps = new Steps(store, claimed)
    const where = { account_id, event_id, with_account }
    if (!everybody && !secret.person) {
      // Once guests are erased, nothing says any more how they were known.
      secret.person = await people.personOf(where, secret.asked)
      await steps.store({ sealed: this.#seal(secret) })
    }
    const { person } = secret
    if (!everybody && !person) throw new Error('The erasure does not say whom to erase')
    const subject: Subject = { ...where, ...(person && { person }) }
    for (const { name, client } of services) {
      const { found, erased } = steps.pass
      if (erased.includes(name)) continue
      // Counted and stored before anything is erased: after a failure it is found no more.
      if (!found[name]) await steps.storePass({ found: { ...found, [name]: await client.find({ body: subject }) } })
      while (!(await client.erase({ body: { ...subject, key: secret.key } })).is_done) await steps.store({})
      await steps.storePass({ erased: [...steps.pass.erased, name] })
    }
    await this.#end(steps)
  }

  async #end(steps: Steps): Promise<void> {
    const { passes, completed_at } = steps.erasure
    if (completed_at) {
      await steps.store({ claim: null }, ['sealed', 'due'])
      return
    }
    const now = Date.now()
    const due = new Date(now + this.#options.secondPassMs)
    const done = { state: 'done' as const, completed_at: new Date(now), passes: [...heldList(passes), noPass()] }
    await steps.store({ ...done, failures: 0, due, claim: null })
  }

  #seal(secret: Secret): string {
    return this.#options.encrypter.encrypt(JSON.stringify(secret))
  }
}

/** The stored steps of an erasure that this process works on. */
class Steps {
  readonly #store: ErasureStore
  #erasure: StoredErasure

  constructor(store: ErasureStore, erasure: StoredErasure) {
    this.#store = store
    this.#erasure = erasure
  }

  get erasure(): StoredErasure {
    return this.#erasure
  }

  /** The pass that is under way. */
  get pass(): Pass {
    return heldList(this.#erasure.passes).at(-1) ?? noPass()
  }

  /** Stores changes, and keeps the claim. Throws if another process has taken over. */
  async store(changes: Partial<StoredErasure>, removed: ('sealed' | 'due')[] = []): Promise<void> {
    const due = removed.includes('due') ? {} : { due: claimEnd() }
    const updated = await this.#store.update(this.#erasure, { ...due, ...changes }, removed)
    if (!updated) throw new Error('Another process has taken over the erasure')
    this.#erasure = updated
  }

  storePass(changes: Partial<Pass>): Promise<void> {
    const earlier = heldList(this.#erasure.passes).slice(0, -1)
    return this.store({ passes: [...earlier, { ...this.pass, ...changes }] })
  }
}

function claimEnd(): Date {
  return new Date(Date.now() + CLAIM_MS)
}

function noPass(): Pass {
  return { found: {}, erased: [] }
}
