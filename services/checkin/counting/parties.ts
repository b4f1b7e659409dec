import { Counters } from './counters.ts'

/** How many persons of each guest count at most, by the guests' numbers. */
export class Parties {
  /** 0 while a guest is unknown. */
  readonly #sizes = new Counters()

  /** The size of a guest's party; without end if the guest is unknown, all of whose persons count. */
  sizeOf(guest: number): number {
    return this.#sizes.get(guest) || Number.POSITIVE_INFINITY
  }

  /** Sets the size of a party; undefined if the guest is unknown. */
  set(guest: number, size: number | undefined): void {
    this.#sizes.add(guest, (size ?? 0) - this.#sizes.get(guest))
  }
}
