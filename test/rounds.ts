/** Whether this run is `npm run test:deep`, which repeats much more often than `npm test` and may take an hour. */
export const isDeep = process.env.TEST_DEEP === '1'

/** Options of a test, or of several, which only `npm run test:deep` runs: it takes long, and `npm test` shows the rule in another way. */
export const deep = Object.freeze({ skip: !isDeep })

/**
 * Options of a test that costs more than 0.3 seconds of CPU time: `npm test` leaves it out, `npm run test:slow` and `.ci/run` run it.
 * `// @module-tag slow` in the first line of a file gives them to all its tests. Frozen, since `test.concurrent` writes into its options: all later
 * tests of the worker would be concurrent too. Give it a copy.
 */
export const slow = Object.freeze({ tags: ['slow'] })

/** These measure what happens while nothing else does, or load the whole machine: `npm run test:deep` runs them after all others, one by one. */
export const aloneFiles = [
  'drill/*/*-drill.test.ts',
  'services/badges/badges/full-speed.test.ts',
  'gateway/overload/overloaded.test.ts',
  'apps/{console,scanner}/test/measured.test.ts',
  'cli/start.test.ts',
  'test/memory.test.ts',
]

/** These look at what the others have done. */
export const lastFiles = ['test/mongodb/commands.test.ts']

/** The seed of all random choices of a run, which prints it; `TEST_SEED` repeats a run. */
export const seed = Number(process.env.TEST_SEED)

/** How often a test repeats what fails only by chance: `few` times in `npm test`, `deep` times in `npm run test:deep`. */
export function rounds(few: number, deep: number): number {
  return isDeep ? deep : few
}

/** Parameters of a property test (fast-check): the number of its cases, and the seed from which it makes them. */
export function cases(few: number, deep: number): { numRuns: number; seed: number } {
  return { numRuns: rounds(few, deep), seed }
}

/** The cases to try on every action: one of `share` in `npm test`, the first of them chosen by the seed, and all in `npm run test:deep`. */
export function sampled<T>(items: readonly T[], share = 16): T[] {
  return isDeep ? [...items] : items.filter((_, index) => index % share === seed % Math.min(share, items.length))
}

/**
 * All items, with the options of their tests: `npm test` runs those that `sampled` chooses, and the others are `slow`. For rules that must be seen of every
 * item before a release, but not at each change.
 */
export function byCost<T>(items: readonly T[], share: number): [item: T, options: { tags?: string[] }][] {
  const quick = new Set(sampled(items, share))
  return items.map((item) => [item, quick.has(item) ? {} : { ...slow }])
}

/** The slow cases to try: one of them in `npm test`, chosen by the seed, and all in `npm run test:deep`. */
export function chosen<T>(cases: readonly T[]): T[] {
  return isDeep ? [...cases] : [cases[seed % cases.length] as T]
}

/**
 * The numbers of the store's answers at which to kill a process: every `step`th in `npm test`, with an offset by the seed, and all in
 * `npm run test:deep`.
 */
export function* killPoints(step = 1): Generator<number> {
  const every = rounds(step, 1)
  for (let nth = 1 + (seed % every); ; nth += every) yield nth
}
