import type { Collection, Db } from 'mongodb'
import type { Bus } from '../../bus/bus.ts'
import { clientOf } from '../../bus/client.ts'
import type { Meta } from '../../bus/messages.ts'
import { shared } from '../../concurrency/shared.ts'
import { DECIDER, deciding, type FenceState, opening } from '../../declaring/cell-data.ts'
import { AccountMoving } from '../../declaring/faults.ts'
import { isObject } from '../../formats/json-reader.ts'
import type { Log } from '../../process/log.ts'
import { isDuplicate } from '../../storage/mongo.ts'

/** What a service knows of an account that moves or has moved. */
export interface StoredFence {
  /** Id of the account. */
  _id: string
  event_ids: string[]
  state: FenceState
  /** Rises with each change: a late one of an earlier step is ignored. */
  epoch: number
  /** When an account that is `leaving` is opened again, unless it has left. */
  until?: Date
  /** The cell to which it has `left`, until it is known to be open there, in this epoch. */
  heir?: { cell: string; epoch: number }
}

/** What is known of an account that never moved. */
const AT_HOME: Omit<StoredFence, '_id'> = { event_ids: [], state: 'home', epoch: 0 }
const LOOK_EVERY_MS = 500

/** Where accounts are, as a process sees it. */
export type AccountStates = Pick<Fence, 'isAway' | 'stateOf'>

/**
 * Keeps a process from answering requests of accounts that are not at home. Most cells have none: then it costs nothing. One service decides for
 * all of a cell, by one document: it opens an account that is `leaving` for too long, and the new cell after the account has left, whatever
 * happens to the command. The others follow.
 */
export class Fence {
  readonly #fences: Collection<StoredFence>
  readonly #bus: Bus
  readonly #accounts = new Map<string, StoredFence>()
  readonly #events = new Set<string>()
  /** Those of which nothing is written any more. */
  readonly #closed = new Set<string>()
  /** Accounts that have begun to leave, whose requests are being answered. */
  readonly #draining = new Set<string>()
  readonly #timer: NodeJS.Timeout
  readonly #changed: (account_id: string) => void

  /** `changed` is called when the state of an account has changed in this process. */
  constructor(db: Db, bus: Bus, service: string, log: Log, changed: (account_id: string) => void) {
    this.#fences = db.collection('cell_fences')
    this.#bus = bus
    this.#changed = changed
    const look = shared(() => (service === DECIDER ? this.#decide() : this.#follow()))
    this.#timer = setInterval(() => {
      look().catch((error) => log.info({ err: error }, 'where accounts are that move cannot be found out; retrying'))
    }, LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Reads what other processes have stored. */
  async load(): Promise<void> {
    for (const fence of await this.#fences.find({}).toArray()) this.#take(fence)
  }

  /** The state of an account, stored and in this process. An epoch that is not newer changes nothing. */
  async set(fence: StoredFence): Promise<void> {
    if (this.of(fence._id).epoch >= fence.epoch) return
    try {
      await this.#fences.replaceOne({ _id: fence._id, epoch: { $lt: fence.epoch } }, fence, { upsert: true })
    } catch (error) {
      if (isDuplicate(error)) return await this.load()
      throw error
    }
    this.#take(fence)
  }

  of(account_id: string): Omit<StoredFence, '_id'> {
    return this.#accounts.get(account_id) ?? AT_HOME
  }

  stateOf(account_id: string): FenceState {
    return this.of(account_id).state
  }

  /** Whether requests of an account have to be asked in another cell. */
  isAway(account_id: string): boolean {
    return ['arriving', 'left'].includes(this.stateOf(account_id))
  }

  /** Lets what is in work write, which keeps an account from leaving, until it has {@link drained}. */
  drain(account_id: string): void {
    if (this.stateOf(account_id) !== 'leaving') this.#draining.add(account_id)
  }

  drained(account_id: string): void {
    if (this.#draining.delete(account_id)) this.#index()
  }

  /** Throws if an event is that of an account that is not at home, and what was in work has ended. */
  checkWrite(event_id: string): void {
    if (this.#closed.has(event_id)) throw new AccountMoving()
  }

  /** Whether any account is about to leave. */
  get isClosing(): boolean {
    return this.#accounts.values().some(({ state }) => state === 'leaving')
  }

  /** Throws if a request is about an account that is not at home. */
  check({ caller, params }: Meta, body?: unknown): void {
    if (this.#accounts.size === 0) return
    const isOut = caller !== undefined && this.stateOf(caller.account_id) !== 'home'
    if (isOut || this.#events.has(params?.event_id ?? '') || this.#events.has(eventIn(body))) throw new AccountMoving()
  }

  #take(fence: StoredFence): void {
    const before = this.of(fence._id)
    if (fence.epoch <= before.epoch) return
    this.#accounts.set(fence._id, fence)
    this.#index()
    if (fence.state !== before.state) this.#changed(fence._id)
  }

  #index(): void {
    this.#events.clear()
    this.#closed.clear()
    for (const { _id, state, event_ids } of this.#accounts.values()) {
      if (state === 'home') continue
      for (const event_id of event_ids) {
        this.#events.add(event_id)
        if (!this.#draining.has(_id)) this.#closed.add(event_id)
      }
    }
  }

  /** Opens accounts that were closed for too long, and those that have left where they went. */
  async #decide(): Promise<void> {
    for (const { _id, event_ids, state, epoch, until } of [...this.#accounts.values()])
      if (state === 'leaving' && until && until.getTime() < Date.now())
        await this.set({ _id, event_ids, state: 'home', epoch: epoch + 1 })
    for (const { heir, ...fence } of [...this.#accounts.values()])
      if (fence.state === 'left' && heir) await this.#openAt(heir, fence)
  }

  async #openAt(heir: { cell: string; epoch: number }, fence: StoredFence): Promise<void> {
    const { _id, event_ids, epoch } = fence
    const body = { account_id: _id, event_ids, state: 'home', epoch: heir.epoch } as const
    await clientOf(this.#bus.cell(heir.cell), opening).fence({ body })
    await this.#fences.updateOne({ _id, epoch }, { $unset: { heir: '' } })
    if (this.of(_id).epoch === epoch) this.#accounts.set(_id, fence)
  }

  /** Learns of what was decided while nobody told this process. */
  async #follow(): Promise<void> {
    for (const { _id, event_ids, state } of [...this.#accounts.values()]) {
      if (state !== 'leaving' && state !== 'arriving') continue
      const decided = await clientOf(this.#bus, deciding).where({ body: { account_id: _id } })
      await this.set({ _id, event_ids, ...decided })
    }
  }
}

function eventIn(body: unknown): string {
  return isObject(body) && typeof body.event_id === 'string' ? body.event_id : ''
}
