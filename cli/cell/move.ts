import { setTimeout as sleep } from 'node:timers/promises'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { FenceState } from '@gatehouse/proto/declaring/cell-data.ts'
import { accounts, eventData } from '../permissions.ts'
import { republish } from '../republish.ts'
import { count } from '../terminal.ts'
import type { Cell, Told } from './cells.ts'
import { copyOnce, erase, eventsOf, type Whose } from './copying.ts'
import { decide, fence, type Members, Overtaken, rollCall, spread, stateAt } from './fencing.ts'
import type { Patience } from './patience.ts'

/** How to move an account. */
export interface MoveOptions {
  from: Cell
  to: Cell
  slug: string
  /** How long services have to answer. */
  patience: Patience
  /** The longest that a request of this installation may take, in ms. */
  longestMs: number
  /** How long the account may be closed before it is opened again where it was, in ms. */
  closedMs: number
  stop: AbortSignal
  say(line: string): void
}

/** Webhooks may not have heard yet of what happened within this time before the account was closed. */
const UNHEARD_MS = 60_000
/** How often the account is closed before the move is given up. */
const TRIES = 5
/** If the command ends while the account is closed, it is opened again so long after it would have done so. */
const LEASE_MORE_MS = 5_000
/** A comparison that takes so little of the time for which the account may be closed leaves enough for the rest. */
const SHORT = 0.3
/** One that takes more leaves too little. */
const LONG = 0.6
/** As long as comparisons take this much less each time, they go on. */
const SHORTER = 0.8
/** The machine may be busy for a while: so many comparisons may take too long in a row. */
const LONG_ONES = 5

/** The id of an account in a cell, null if it is not there. */
export async function accountIn(cell: Cell, slug: string): Promise<string | null> {
  return (await clientOf(cell.bus, accounts).find({ body: { slug } })).account_id
}

/** Moves an account, or goes on where an earlier run has stopped. */
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

  /** Moves it, unless the command is stopped. */
  async run(): Promise<void> {
    const { to, say, slug, stop } = this.#options
    for (let tries = 1; ; tries++) {
      const state = await this.#begin()
      if (state === 'left') {
        await this.#complete()
        return say(`${slug} lives in the cell ${to.name}`)
      }
      const answerMs = await this.#copy()
      if (stop.aborted) return
      if (await this.#closeAndMove(answerMs)) return
      if (tries === TRIES) throw new Error('It could not be moved in time; the account is open where it was')
    }
  }

  /** Opens an account again that an earlier run has closed, and deletes what it has copied. */
  async undo(): Promise<void> {
    const { to } = this.#options
    if ((await this.#begin()) === 'left') throw new Error('The account has moved already. Move it back from there')
    await erase(to, this.#whose)
    await this.#tell(to, { state: 'home' })
  }

  /** Finds out how far an earlier run has come, and opens an account that it has closed. */
  async #begin(): Promise<FenceState> {
    const { from, to, slug } = this.#options
    const both = [from, to] as const
    const members = await Promise.all(both.map((cell) => rollCall(cell, this.#account_id)))
    for (const [index, cell] of both.entries()) this.#members.set(cell, members[index] as Members)
    this.#calledAt = performance.now()
    const [there, here] = await Promise.all([stateAt(from, this.#account_id), stateAt(to, this.#account_id)])
    if (there.state !== 'left' && here.state === 'home' && (await accountIn(to, slug)))
      throw new Error(`${slug} lives in the cell ${to.name} already`)
    this.#epochs.set(from, there.epoch).set(to, here.epoch)
    this.#event_ids = await eventsOf(there.state === 'left' ? to : from, this.#account_id)
    if (there.state === 'left') {
      if (here.state === 'arriving') await this.#tell(to, { state: 'home' })
      return 'left'
    }
    // Whatever an earlier run still writes there, is written before this is acknowledged.
    await this.#tell(to, { state: 'arriving' })
    if (there.state === 'leaving') await this.#tell(from, { state: 'home' })
    return 'home'
  }

  /** Copies while the account is used, until that takes little. Returns how long the longest answer took at last, in ms. */
  async #copy(): Promise<number> {
    const { from, to, stop, say, closedMs, patience } = this.#options
    let comparedMs = Number.POSITIVE_INFINITY
    let answerMs = 0
    let tooLong = 0
    for (let round = 1; !stop.aborted; round++) {
      this.#event_ids = await eventsOf(from, this.#account_id)
      const begun = performance.now()
      patience.takeLongest()
      const { different } = await copyOnce(from, to, this.#whose)
      answerMs = patience.takeLongest()
      const beforeMs = comparedMs
      comparedMs = performance.now() - begun
      say(`Round ${round}: ${count(different, 'document')} in ${inSeconds(comparedMs)}`)
      if (comparedMs > SHORT * closedMs && comparedMs < SHORTER * beforeMs) continue
      if (comparedMs > LONG * closedMs) {
        if (++tooLong < LONG_ONES) continue
        const seconds = Math.ceil(comparedMs / 1_000 / SHORT)
        throw new Error(
          `To compare what is copied takes ${inSeconds(comparedMs)}: allow the account to be closed for longer (--closed ${seconds})`,
        )
      }
      tooLong = 0
      if (!(await this.#hasWaited())) break
    }
    return answerMs
  }

  /** Waits while a process that did not hear the roll call may still answer what it was asked before. False if none may. */
  async #hasWaited(): Promise<boolean> {
    const { stop, say, longestMs } = this.#options
    const left = this.#calledAt + longestMs - performance.now()
    if (left <= 0) return false
    say(`Waiting for ${Math.ceil(left / 1_000)} s, the rest of the longest time that a request may take`)
    await sleep(left, undefined, { signal: stop }).catch(() => {})
    return true
  }

  /** Closes the account, copies the rest and opens it in the other cell. False if that takes too long: then it is open again where it was. */
  async #closeAndMove(answerMs: number): Promise<boolean> {
    const { from, to, say, patience, closedMs, slug } = this.#options
    const closedAt = performance.now()
    const signal = AbortSignal.timeout(closedMs)
    patience.hurry(signal, answerMs)
    try {
      await this.#close(signal)
    } catch (error) {
      patience.rest()
      if (!signal.aborted) say((error as Error).message)
      // Where that fails, it is opened by itself.
      await this.#open(from).catch(() => {})
      say(`Open again where it was, after ${secondsSince(closedAt)}`)
      return false
    }
    patience.rest()
    const heir = { cell: to.name, epoch: this.#nextEpoch(to) }
    try {
      // The step that cannot be undone. From here on both cells go on by themselves.
      await decide(from, { ...this.#whose, state: 'left', epoch: this.#nextEpoch(from), heir })
    } catch (error) {
      // Otherwise it is unknown where it lives: another run finds that out.
      if (!(error instanceof Overtaken)) throw error
      say(error.message)
      return false
    }
    await this.#open(to)
    const openedAt = performance.now()
    say(
      `${slug} lives in the cell ${to.name}; it was closed for ${secondsSince(closedAt)}. Deleting it in ${from.name}`,
    )
    await this.#republish(openedAt - closedAt)
    await this.#complete()
    return true
  }

  /** Publishes once more what happened just before the account was closed. Webhooks that have heard of it get nothing. */
  async #republish(closedMs: number): Promise<void> {
    const until = new Date()
    const since = new Date(until.getTime() - closedMs - UNHEARD_MS)
    for (const event_id of this.#event_ids) await republish(this.#options.to.bus, { event_id, since, until })
  }

  /** Closes the account, and makes both cells hold the same. */
  async #close(signal: AbortSignal): Promise<void> {
    const { from, say, closedMs } = this.#options
    say('Closing the account')
    const closing = { state: 'leaving', lease_ms: closedMs + LEASE_MORE_MS } as const
    await this.#tell(from, closing, signal)
    this.#event_ids = await eventsOf(from, this.#account_id)
    // Events that were created since are closed, too.
    await this.#tell(from, closing, signal)
    await this.#copyLast(signal)
    await this.#forgetEarlierStay()
  }

  /** Copies what is left while the account is closed, until nothing differs. */
  async #copyLast(signal: AbortSignal): Promise<void> {
    const { from, to, say, patience } = this.#options
    for (;;) {
      const begun = performance.now()
      const { repeated } = patience
      const { different, isAll } = await copyOnce(from, to, this.#whose)
      say(`${count(different, 'last document')} in ${secondsSince(begun)}`)
      // Nobody else changes anything in either cell.
      if (isAll && patience.repeated === repeated) return
      // What was asked first may be done after what was asked again.
      if (patience.repeated > repeated) await this.#tell(to, { state: 'arriving' }, signal)
    }
  }

  /** Redis may know something of it. */
  async #forgetEarlierStay(): Promise<void> {
    const { to } = this.#options
    const checkin = eventData.find(({ service }) => service === 'checkin')
    if (!checkin) throw new Error('There is no service checkin')
    const { finish } = clientOf(to.bus, checkin)
    await Promise.all(this.#event_ids.map((event_id) => finish({ body: { account_id: this.#account_id, event_id } })))
  }

  /** Tells all of a cell which has given the account up, and deletes what it holds of it. */
  async #complete(): Promise<void> {
    const { from } = this.#options
    const { state, epoch } = await stateAt(from, this.#account_id)
    this.#epochs.set(from, epoch)
    if (state === 'left') await this.#tell(from, { state })
    await erase(from, this.#whose)
  }

  /** Opens it in a cell: all its processes learn it sooner or later, so those that do not answer are not awaited. */
  async #open(cell: Cell): Promise<void> {
    const epoch = this.#nextEpoch(cell)
    this.#epochs.set(cell, epoch)
    const told: Told = { ...this.#whose, state: 'home', epoch }
    await decide(cell, told)
    await spread(cell, told, this.#members.get(cell) ?? new Map())
  }

  async #tell(cell: Cell, what: Pick<Told, 'state' | 'lease_ms'>, signal?: AbortSignal): Promise<void> {
    const epoch = this.#nextEpoch(cell)
    this.#epochs.set(cell, epoch)
    const told: Told = { ...this.#whose, ...what, epoch }
    const members = this.#members.get(cell) ?? new Map()
    await fence(cell, told, { members, longestMs: this.#options.longestMs, signal })
  }

  #nextEpoch(cell: Cell): number {
    return (this.#epochs.get(cell) ?? 0) + 1
  }

  get #whose(): Whose {
    return { account_id: this.#account_id, event_ids: this.#event_ids }
  }
}

function secondsSince(begun: number): string {
  return inSeconds(performance.now() - begun)
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
