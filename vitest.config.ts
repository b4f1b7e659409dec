import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          globalSetup: './test/global-setup.ts',
          include: ['**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'drill/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'drill',
          include: ['drill/**/*.test.ts'],
          // After all others: it takes the whole machine, and measures.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
