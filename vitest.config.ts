import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // A test ends when what it waits for is there; these are for what hangs, however slow the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes at once, but not on a busy machine: vitest's own one second is no bound there.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          globalSetup: './test/global-setup.ts',
          include: ['**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'drill/**'],
          // Not the default 0: where there is but one worker, those come last of all.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'drill',
          include: ['drill/**/*.test.ts'],
          // After all others: it takes the whole machine, and measures.
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
