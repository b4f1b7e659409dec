import { defineConfig } from 'vitest/config'

// `npm run check:k8s`: the manifests alone, without the stores of other tests.
export default defineConfig({
  test: { include: ['deploy/k8s/manifests.test.ts'], experimental: { viteModuleRunner: false } },
})
