import { setTimeout as sleep } from 'node:timers/promises'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { FenceState } from '@gatehouse/proto/declaring/cell-data.ts'
import { accounts, eventData } from '../permissions.ts'
import { retried } from '../retry.ts'
import { count } from '../terminal.ts'
import type { Cell } from './cells.ts'
import { copyOnce, eraseService, eventsOf, type Whose } from './copying.ts'
import { fence, type Members, rollCall, stateAt } from './fencing.ts'

/** How to move an account. */
export interface MoveOptions {
  from: Cell
  to: Cell
  slug: string
  /** The longest that a request of this installation may take, in ms. */
  longestMs: number
  /** How long the account may be closed before it is opened again where it was, in ms. */
  closedMs: number
  stop: AbortSignal
  say(line: string): void
}

/** Copied while the account is used. Tokens would say that it lives in the other cell, and webhooks would be called twice. */
const EARLY = ['guests', 'checkin', 'promo', 'partners', 'leads', 'badges']
const LATE = ['hooks', 'sso']
/** So few changes since the last comparison are left to the time for which the account is closed. */
const FEW = 500

/** The id of an account in a cell, null if it is not there. */
export async function accountIn(cell: Cell, slug: string): Promise<string | null> {
  return (await retried(() => clientOf(cell.bus, accounts).find({ body: { slug } }))).account_id
}

/** Moves an account, or goes on where an earlier run has stopped. Returns for how many ms nobody could use it. */
export class Move {
  readonly #options: MoveOptions
  readonly #account_id: string
  readonly #epochs = new Map<Cell, number>()
  readonly #members = new Map<Cell, Members>()
  #event_ids: string[] = []
  #calledAt = 0

  private constructor(options: MoveOptions, account_id: string) {
    this.#options = options
    this.#account_id = account_id
  }

  /** Finds the account. Throws one sentence if there is none. */
  static async of(options: MoveOptions): Promise<Move> {
    const { from, to, slug } = options
    const [there, here] = [await accountIn(from, slug), await accountIn(to, slug)]
    if (there && here && there !== here) throw new Error(`The cell ${to.name} has another account ${slug}`)
    const account_id = there ?? here
    if (!account_id) throw new Error(`There is no account ${slug} in the cells ${from.name} and ${to.name}`)
    return new Move(options, account_id)
  }

  /** Moves it. Returns for how many ms it was closed; undefined if it was moved before, or if the command was stopped. */
  async run(): Promise<number | undefined> {
    const { from, to, say, slug } = this.#options
    const state = await this.#begin()
    if (state === 'left') {
      await this.#open(performance.now())
      say(`${slug} lives in the cell ${to.name}`)
      return undefined
    }
    if (state === 'home' && !(await this.#copy())) return undefined
    const closedAt = performance.now()
    say('Closing the account')
    try {
      await this.#tell(from, 'leaving')
      await this.#copyLast(closedAt + this.#options.closedMs)
    } catch (error) {
      await this.#withdrawTokens()
      await this.#tell(from, 'home')
      say('It could not be moved in time and is open again where it was')
      throw error
    }
    return this.#open(closedAt)
  }

  /** Opens an account again that an earlier run has closed, and deletes what it has copied. */
  async undo(): Promise<void> {
    const { from, to } = this.#options
    const state = await this.#begin()
    if (state === 'left') throw new Error('The account has moved already. Move it back from there')
    await this.#tell(from, 'home')
    await this.#erase(to)
    await this.#tell(to, 'home')
  }

  /** Finds out how far an earlier run has come. */
  async #begin(): Promise<FenceState> {
    const { from, to, slug } = this.#options
    for (const cell of [from, to]) this.#members.set(cell, await rollCall(cell, this.#account_id))
    this.#calledAt = performance.now()
    const [there, here] = [await stateAt(from, this.#account_id), await stateAt(to, this.#account_id)]
    if (there.state !== 'left' && here.state === 'home' && (await accountIn(to, slug)))
      throw new Error(`${slug} lives in the cell ${to.name} already`)
    this.#epochs.set(from, there.epoch).set(to, here.epoch)
    this.#event_ids = await eventsOf(there.state === 'left' ? to : from, this.#account_id)
    if (there.state !== 'left') await this.#tell(to, 'arriving')
    if (there.state === 'home') await this.#withdrawTokens()
    // Of a run that was killed some processes may not have heard.
    if (there.epoch > 0) await this.#tell(from, there.state)
    return there.state
  }

  /** Copies while the account is used, until little changes. False if the command was stopped. */
  async #copy(): Promise<boolean> {
    const { from, to, stop, say, longestMs } = this.#options
    let lastMs = Number.POSITIVE_INFINITY
    for (let round = 1; ; round++) {
      this.#event_ids = await eventsOf(from, this.#account_id)
      const begun = performance.now()
      const changed = await copyOnce(from, to, EARLY, this.#whose)
      say(`Round ${round}: ${count(changed, 'document')} in ${secondsSince(begun)}`)
      if (stop.aborted) return false
      const tookMs = performance.now() - begun
      // What is left is then what changes while everything is compared.
      if (changed <= FEW || tookMs > lastMs / 2) break
      lastMs = tookMs
    }
    // A process that did not hear the roll call may still answer what it was asked before.
    const left = this.#calledAt + longestMs - performance.now()
    if (left > 0) say(`Waiting for ${Math.ceil(left / 1_000)} s, the rest of the longest time that a request may take`)
    await sleep(Math.max(0, left), undefined, { signal: stop }).catch(() => {})
    return !stop.aborted
  }

  /** Copies what is left while the account is closed, until a comparison finds no difference. */
  async #copyLast(until: number): Promise<void> {
    const { from, to, say } = this.#options
    this.#event_ids = await eventsOf(from, this.#account_id)
    // Those that were created since are closed, too.
    await this.#tell(from, 'leaving')
    for (;;) {
      const begun = performance.now()
      const changed = await copyOnce(from, to, [...EARLY, ...LATE], this.#whose)
      say(`${count(changed, 'last document')} in ${secondsSince(begun)}`)
      if (performance.now() > until) throw new Error('What is copied and what is there still differ')
      if (changed === 0) return
    }
  }

  /** The step that cannot be undone: the old cell gives the account up. Then the new one opens it. */
  async #open(closedAt: number): Promise<number> {
    const { from, to, slug, say } = this.#options
    await this.#tell(from, 'left')
    await eraseService(from, 'sso', this.#whose)
    // Redis may know something of an earlier stay.
    const checkin = eventData.find(({ service }) => service === 'checkin')
    if (!checkin) throw new Error('There is no service checkin')
    for (const event_id of this.#event_ids)
      await retried(() => clientOf(to.bus, checkin).finish({ body: { account_id: this.#account_id, event_id } }))
    await this.#tell(to, 'home')
    // Gateways forget that they knew nobody.
    await this.#tell(from, 'left')
    const closedMs = performance.now() - closedAt
    say(
      `${slug} lives in the cell ${to.name}; it was closed for ${secondsSince(closedAt)}. Deleting it in ${from.name}`,
    )
    await this.#erase(from)
    return closedMs
  }

  /** Of a move that was given up: where tokens are, gateways believe the account. */
  async #withdrawTokens(): Promise<void> {
    for (const name of LATE) await eraseService(this.#options.to, name, this.#whose)
  }

  async #erase(cell: Cell): Promise<void> {
    // Its events last: they say what there is.
    for (const name of [...LATE, ...EARLY.toReversed()]) await eraseService(cell, name, this.#whose)
  }

  async #tell(cell: Cell, state: FenceState): Promise<void> {
    const epoch = (this.#epochs.get(cell) ?? 0) + 1
    this.#epochs.set(cell, epoch)
    await fence(cell, { ...this.#whose, state, epoch }, this.#members.get(cell) ?? new Map(), this.#options.longestMs)
  }

  get #whose(): Whose {
    return { account_id: this.#account_id, event_ids: this.#event_ids }
  }
}

function secondsSince(begun: number): string {
  return `${((performance.now() - begun) / 1_000).toFixed(1)} s`
}
