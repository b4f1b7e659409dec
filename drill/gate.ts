/** Holds devices back during a measurement. */
export class DeviceGate {
  #open: PromiseWithResolvers<void> | undefined

  /** Keeps the gate closed during some work. */
  async closedFor<T>(during: () => Promise<T>): Promise<T> {
    this.#open = Promise.withResolvers<void>()
    try {
      return await during()
    } finally {
      this.#open.resolve()
      this.#open = undefined
    }
  }

  /** Resolves when the gate is open. */
  async passing(): Promise<void> {
    await this.#open?.promise
  }
}
