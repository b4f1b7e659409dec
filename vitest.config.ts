import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Workers and the processes which they start inherit both.
process.env.TEST_SEED ??= String(Date.now() % 1_000_000)
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/gatehouse`

/** These run after all others, one by one: they measure what takes the whole machine, or what happens while nothing else does. */
const alone = ['drill/drill.test.ts', 'services/badges/badges/background-load.test.ts']

/** These wait for what they restart most of their time. */
const waiting = /(kill(ed)?|(promo-)?crashes|losses|backlog|ending|stack|up|deliveries)\.test\.ts$/

/** Every second file is one that waits, as long as there are some: others use the processors meanwhile, and none is left for the end. */
class Interleaved extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const slow = sorted.filter(({ moduleId }) => waiting.test(moduleId))
    const others = sorted.filter((file) => !slow.includes(file))
    return [...others.flatMap((file) => [...slow.splice(0, 1), file]), ...slow]
  }
}

export default defineConfig({
  test: {
    // A test ends when what it waits for is there; these are for what hangs, however slow the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes at once, but not on a busy machine: vitest's own one second is no bound there.
    expect: { poll: { timeout: 20_000 } },
    // Node itself runs the tests as it runs the product: that takes half as long as Vite's transformation of each module.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: Interleaved },
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          globalSetup: './test/global-setup.ts',
          include: ['**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          // A file waits for its servers more than half of its time.
          maxWorkers: 2 * availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          globalSetup: './test/global-setup.ts',
          include: alone,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
