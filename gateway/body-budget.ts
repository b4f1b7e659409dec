import { unavailable } from '@gatehouse/proto/faults.ts'

/** Bytes of bodies that a gateway holds at once. */
export interface BodyLimits {
  total: number
  /** Of one address. Behind a proxy that the gateway does not trust, that is the proxy's. */
  perAddress: number
  /** Of one token, or of one secret in a path. */
  perHolder: number
}

/** What a gateway grants: a token one batch of the largest size, and half as much beside it. */
export const BODY_LIMITS: BodyLimits = { total: 48 * 2 ** 20, perAddress: 32 * 2 ** 20, perHolder: 15 * 2 ** 20 }

/**
 * Counts the bytes of bodies that are being read or worked on, so that no token, no address and not all of them together fill the memory.
 * Small bodies are not counted: the number of connections bounds them.
 */
export class BodyBudget {
  readonly #limits: BodyLimits
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** A share of the budget for one request: empty at first. */
  share(address: string, holder: string): BodyShare {
    const held: [string, number][] = [
      [`address ${address}`, this.#limits.perAddress],
      [`holder ${holder}`, this.#limits.perHolder],
    ]
    let bytes = 0
    return {
      take: (more) => {
        const isOver = held.some(([key, limit]) => (this.#held.get(key) ?? 0) + more > limit)
        if (isOver || this.#total + more > this.#limits.total)
          throw unavailable('Too many large requests in progress; try again later')
        this.#add(held, more)
        bytes += more
      },
      release: () => {
        this.#add(held, -bytes)
        bytes = 0
      },
    }
  }

  #add(held: [string, number][], bytes: number): void {
    this.#total += bytes
    for (const [key] of held) {
      const sum = (this.#held.get(key) ?? 0) + bytes
      if (sum > 0) this.#held.set(key, sum)
      else this.#held.delete(key)
    }
  }
}

/** What one request holds of the budget. */
export interface BodyShare {
  /** Takes more bytes. Throws `unavailable` (503) where there are none left. */
  take(bytes: number): void
  /** Gives all of them back. */
  release(): void
}
