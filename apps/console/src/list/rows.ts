import { asRefusal, type GatehouseError } from '../server/server.ts'

/** Items of one request. */
const PAGE = 100
/** Pages that are kept: others are asked for again. */
const KEPT = 20

/** The rows of a list that is read in pages, those that are looked at. Their number is known when its end was seen. */
export class Rows<Item> {
  readonly #load: (page: number, size: number, signal: AbortSignal) => Promise<Item[]>
  readonly #onChange: () => void
  readonly #pages = new Map<number, Item[]>()
  readonly #asked = new Map<number, AbortController>()
  #expected: number
  #end: number | undefined
  /** Why the last request was refused. */
  error: GatehouseError | undefined

  /** `expected` is how many rows there are, as far as is known. */
  constructor(
    load: (page: number, size: number, signal: AbortSignal) => Promise<Item[]>,
    onChange: () => void,
    expected = 0,
  ) {
    this.#load = load
    this.#onChange = onChange
    this.#expected = expected
  }

  /** How many rows there are, or are at least thought to be. */
  get count(): number {
    return this.#end ?? this.#expected
  }

  /** Whether the count is exact. */
  get isCounted(): boolean {
    return this.#end !== undefined
  }

  /** The row with this number, from 0; undefined until it is there. */
  at(index: number): Item | undefined {
    return this.#pages.get(Math.floor(index / PAGE) + 1)?.[index % PAGE]
  }

  /** The numbers of the rows that are there. */
  get numbers(): number[] {
    return [...this.#pages]
      .flatMap(([page, items]) => items.map((_, index) => (page - 1) * PAGE + index))
      .sort((one, other) => one - other)
  }

  /** Reads these rows, and drops requests for others. */
  show(first: number, last: number): void {
    const from = Math.floor(first / PAGE) + 1
    const to = Math.floor(Math.max(first, last) / PAGE) + 1
    for (const [page, stop] of this.#asked) if (page < from || page > to) stop.abort()
    for (let page = from; page <= to; page++) void this.#read(page)
  }

  /** Reads again what was refused. */
  retry(first: number, last: number): void {
    this.error = undefined
    this.show(first, last)
  }

  /** Ends all requests. */
  close(): void {
    for (const stop of this.#asked.values()) stop.abort()
  }

  async #read(page: number): Promise<void> {
    const isBeyond = this.#end !== undefined && (page - 1) * PAGE >= Math.max(this.#end, 1)
    if (this.#pages.has(page) || this.#asked.has(page) || isBeyond || this.error) return
    const stop = new AbortController()
    this.#asked.set(page, stop)
    try {
      const items = await this.#load(page, PAGE, stop.signal)
      if (stop.signal.aborted) return
      this.#keep(page, items)
    } catch (error) {
      if (stop.signal.aborted) return
      this.error = asRefusal(error)
    } finally {
      this.#asked.delete(page)
    }
    this.#onChange()
  }

  #keep(page: number, items: Item[]): void {
    this.#pages.set(page, items)
    if (this.#pages.size > KEPT) this.#pages.delete(this.#pages.keys().next().value as number)
    const reached = (page - 1) * PAGE + items.length
    // An empty page is somewhere behind the end.
    if (items.length < PAGE) {
      if (items.length > 0 || page === 1) this.#end = reached
      else this.#expected = Math.min(this.#expected, reached)
    } else this.#expected = Math.max(this.#expected, reached + 1)
  }
}
