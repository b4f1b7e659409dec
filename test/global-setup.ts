import { startTestStores } from '@gatehouse/local/test-stores'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  // Read by tests through `inject`.
  interface ProvidedContext {
    mongodbUrl: string
    natsUrl: string
    redisUrl: string
  }
}

/** One set of stores for the whole run; test files keep apart by names of their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  console.error(`Random choices follow from TEST_SEED=${process.env.TEST_SEED}.`)
  const { mongodbUrl, natsUrl, redisUrl, stop } = await startTestStores({ log: (line) => console.error(line) })
  project.provide('mongodbUrl', mongodbUrl)
  project.provide('natsUrl', natsUrl)
  project.provide('redisUrl', redisUrl)
  return stop
}
