import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

// Workers and the processes which they start inherit both.
process.env.TEST_SEED ??= String(Date.now() % 1_000_000)
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/gatehouse`

/** These run after all others, one by one: they measure what takes the whole machine, or what happens while nothing else does. */
const alone = ['drill/drill.test.ts', 'services/badges/badges/background-load.test.ts']

export default defineConfig({
  test: {
    // A test ends when what it waits for is there; these are for what hangs, however slow the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes at once, but not on a busy machine: vitest's own one second is no bound there.
    expect: { poll: { timeout: 20_000 } },
    // Node itself runs the tests as it runs the product: that takes half as long as Vite's transformation of each module.
    experimental: { viteModuleRunner: false },
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
