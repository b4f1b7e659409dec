/** Holds devices back for a while, so that something else can be measured. */
export class Gate {
  #open: PromiseWithResolvers<void> | undefined

  /** Lets nobody pass while something goes on. */
  async closedFor<T>(during: () => Promise<T>): Promise<T> {
    this.#open = Promise.withResolvers<void>()
    try {
      return await during()
    } finally {
      this.#open.resolve()
      this.#open = undefined
    }
  }

  /** Resolves when one may pass. */
  async passing(): Promise<void> {
    await this.#open?.promise
  }
}
