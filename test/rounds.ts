/** Whether this run is `npm run test:deep`, which repeats much more often than `npm test` and may take an hour. */
export const isDeep = process.env.TEST_DEEP === '1'

/** What random choices of tests follow from; a run prints it, and `TEST_SEED` repeats it. */
export const seed = Number(process.env.TEST_SEED)

/** How often a test repeats what goes wrong only by chance: `few` times in `npm test`, `deep` times in `npm run test:deep`. */
export function rounds(few: number, deep: number): number {
  return isDeep ? deep : few
}

/** Of a property test (fast-check): how many cases it tries, and from which seed it makes them. */
export function cases(few: number, deep: number): { numRuns: number; seed: number } {
  return { numRuns: rounds(few, deep), seed }
}

/** Of the cases that a test tries on every action, a quarter in `npm test`, which one follows from the seed, and all of them in `npm run test:deep`. */
export function sampled<T>(items: readonly T[]): T[] {
  return isDeep ? [...items] : items.filter((_, index) => (index + seed) % 4 === 0)
}

/** Of cases that each take long, the one that follows from the seed in `npm test`, and all of them in `npm run test:deep`. */
export function chosen<T>(cases: readonly T[]): T[] {
  return isDeep ? [...cases] : [cases[seed % cases.length] as T]
}

/** The answers of a store at which a process is killed, without end: each `step`th in `npm test`, from which on follows from the seed; all of them in `npm run test:deep`. */
export function* killPoints(step: number): Generator<number> {
  const every = rounds(step, 1)
  for (let nth = 1 + (seed % every); ; nth += every) yield nth
}
