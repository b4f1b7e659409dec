import { defineConfig } from 'vitest/config'

// `npm run check:k8s`: the manifests alone, without the stores of other tests. kubectl may have to be downloaded first.
export default defineConfig({
  test: {
    include: ['deploy/k8s/{manifests,references}.test.ts'],
    experimental: { viteModuleRunner: false },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
