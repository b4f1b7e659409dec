/** Counts and shows what is checked. */
export class Report {
  passed = 0
  failed = 0
  readonly #say: (line: string) => void
  readonly #begun = performance.now()

  constructor(say: (line: string) => void) {
    this.#say = say
  }

  /** Shows what is done now. */
  step(what: string): void {
    this.#say(`${String(Math.round((performance.now() - this.#begun) / 1_000)).padStart(4)} s  ${what}`)
  }

  /** Counts a promise as kept if `prove` throws nothing; what `prove` returns is shown behind it. */
  async check(promise: string, prove: () => Promise<unknown> | unknown): Promise<void> {
    try {
      const shown = await prove()
      this.passed++
      this.step(`ok      ${promise}${typeof shown === 'string' ? `: ${shown}` : ''}`)
    } catch (error) {
      this.failed++
      this.step(`FAILED  ${promise}: ${(error as Error).message}`)
    }
  }
}
