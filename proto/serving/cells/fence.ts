import type { Collection, Db } from 'mongodb'
import type { Meta } from '../../bus/messages.ts'
import type { FenceState } from '../../declaring/cell-data.ts'
import { AccountMoving } from '../../declaring/faults.ts'
import { isObject } from '../../formats/json-reader.ts'
import { isDuplicate } from '../../storage/mongo.ts'

/** What a service knows of an account that moves or has moved. */
export interface StoredFence {
  /** Id of the account. */
  _id: string
  event_ids: string[]
  state: FenceState
  /** Rises with each change: a late one of an earlier step is ignored. */
  epoch: number
}

/** Keeps a process from answering requests of accounts that are not at home. Most cells have none: then it costs nothing. */
export class Fence {
  readonly #fences: Collection<StoredFence>
  readonly #accounts = new Map<string, StoredFence>()
  readonly #events = new Set<string>()

  constructor(db: Db) {
    this.#fences = db.collection('cell_fences')
  }

  /** Reads what other processes have stored. */
  async load(): Promise<void> {
    for (const fence of await this.#fences.find({}).toArray())
      if (fence.epoch > this.of(fence._id).epoch) this.#accounts.set(fence._id, fence)
    this.#index()
  }

  /** The state of an account, stored and in this process. An older epoch changes nothing. */
  async set(fence: StoredFence): Promise<void> {
    if (this.of(fence._id).epoch >= fence.epoch) return
    try {
      await this.#fences.replaceOne({ _id: fence._id, epoch: { $lte: fence.epoch } }, fence, { upsert: true })
    } catch (error) {
      if (isDuplicate(error)) return await this.load()
      throw error
    }
    this.#accounts.set(fence._id, fence)
    this.#index()
  }

  of(account_id: string): Pick<StoredFence, 'state' | 'epoch'> {
    const { state = 'home', epoch = 0 } = this.#accounts.get(account_id) ?? {}
    return { state, epoch }
  }

  stateOf(account_id: string): FenceState {
    return this.of(account_id).state
  }

  /** Throws if a request is about an account that is not at home. */
  check({ caller, params }: Meta, body?: unknown): void {
    if (this.#accounts.size === 0) return
    const isOut = caller !== undefined && this.stateOf(caller.account_id) !== 'home'
    if (isOut || this.#events.has(params?.event_id ?? '') || this.#events.has(eventIn(body))) throw new AccountMoving()
  }

  #index(): void {
    this.#events.clear()
    for (const { state, event_ids } of this.#accounts.values())
      if (state !== 'home') for (const event_id of event_ids) this.#events.add(event_id)
  }
}

function eventIn(body: unknown): string {
  return isObject(body) && typeof body.event_id === 'string' ? body.event_id : ''
}
