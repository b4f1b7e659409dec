import type { Askable, Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { AccountMoving } from '@gatehouse/proto/declaring/faults.ts'
import type { Caller, Output } from '@gatehouse/proto/declaring/resource.ts'
import { apiTokens, events } from '../permissions.ts'

/** What sso knows of a token. */
export type Resolved = Output<(typeof apiTokens)['actions']['resolve']>[number]

/** A cell, as a gateway asks it. */
interface Cell {
  bus: Askable
  events: Client<typeof events>
  resolve(hash: string): Promise<Resolved>
  look(hash: string): Promise<Resolved>
}

/**
 * In which cell an account lives (docs/adr/0022): the one whose sso knows the token. A gateway answers for the accounts of all cells that it is
 * told of; mostly there is but one.
 */
export class Homes {
  readonly #own: Cell
  readonly #others: Cell[]
  readonly #homes = new WeakMap<Caller, Cell>()

  constructor(bus: Bus) {
    this.#own = cellOf(bus)
    this.#others = bus.cells.map((namespace) => cellOf(bus.cell(namespace)))
  }

  /** Whether there are other cells. */
  get areSeveral(): boolean {
    return this.#others.length > 0
  }

  /** Whose token has this hash. Rejects if no cell knows it and one of them does not answer. */
  async resolved(hash: string, how: 'resolve' | 'look' = 'resolve'): Promise<Resolved> {
    const own = await this.#own[how](hash)
    if (isKnown(own) || !this.areSeveral) return own
    const foreign = await this.#resolvedElsewhere(hash, how)
    if (foreign) return foreign
    // The account may have come here after it was asked for here, and left there before.
    const here = await this.#own[how](hash)
    if (own.is_away && !isKnown(here)) throw new AccountMoving()
    return here
  }

  async #resolvedElsewhere(hash: string, how: 'resolve' | 'look'): Promise<Resolved | undefined> {
    const answers = this.#others.map(async (cell) => ({ cell, resolved: await cell[how](hash) }))
    const found = await Promise.any(
      answers.map(async (each) => {
        const answer = await each
        if (!isKnown(answer.resolved)) throw new Error('unknown')
        return answer
      }),
    ).catch(() => undefined)
    if (!found) {
      // Who is unknown where somebody answers may be known where nobody does.
      for (const { resolved } of await Promise.all(answers)) if (resolved.is_away) throw new AccountMoving()
      return undefined
    }
    const { caller } = found.resolved
    if (caller) this.#homes.set(caller, found.cell)
    return found.resolved
  }

  /** Whether a caller's account lives in another cell. */
  isForeign(caller: Caller): boolean {
    return this.#homes.has(caller)
  }

  /** Whom to ask for a caller. */
  busFor(caller: Caller | undefined): Askable {
    return this.#homeOf(caller).bus
  }

  /** Whose an event is, by the cell of a caller's account. */
  ownerOf(caller: Caller, event_id: string): Promise<Output<(typeof events)['actions']['owner']>> {
    return this.#homeOf(caller).events.owner({ body: { event_id } })
  }

  #homeOf(caller: Caller | undefined): Cell {
    return (caller && this.#homes.get(caller)) ?? this.#own
  }
}

function cellOf(bus: Askable): Cell {
  const tokens = clientOf(bus, apiTokens)
  return {
    bus,
    events: clientOf(bus, events),
    resolve: coalesced((hashes: string[]) => tokens.resolve({ body: { hashes } })),
    look: coalesced((hashes: string[]) => tokens.resolve({ body: { hashes, only_looks: true } })),
  }
}

function isKnown({ caller, is_revoked_device }: Resolved): boolean {
  return caller !== undefined || is_revoked_device === true
}
