import { defineConfig } from 'vitest/config'

// `npm run check:k8s`: the manifests and the chart alone, without the stores of other tests. kubectl and Helm may have to be downloaded first.
export default defineConfig({
  test: {
    include: [
      'deploy/k8s/{manifests,references}.test.ts',
      // An overlay of yours has nothing to do with the chart and the docs.
      ...(process.env.OVERLAY ? [] : ['deploy/k8s/runbooks.test.ts', 'deploy/k8s/helm/chart.test.ts']),
    ],
    experimental: { viteModuleRunner: false },
    tags: [{ name: 'slow', description: 'left out by `npm test`' }],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
