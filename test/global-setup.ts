import { fileURLToPath } from 'node:url'
import { execute } from '@gatehouse/local/execute'
import { startTestStores, type TestStores } from '@gatehouse/local/test-stores'
import type { TestProject } from 'vitest/node'
import { natsUsersOf } from '../services/bus-users.ts'

declare module 'vitest' {
  // Read by tests through `inject`.
  interface ProvidedContext {
    mongodbUrl: string
    /** Of a NATS user who may do everything. */
    natsUrl: string
    /** By process. */
    natsUrls: Record<string, string>
    redisUrl: string
  }
}

/** Vitest loads this file once for each of its projects, which share the stores. */
const shared = globalThis as { testStores?: Promise<TestStores> }

/** Builds the apps for people, unless that is done: gateways read them when they start. */
const buildApps = () => execute(process.execPath, [fileURLToPath(new URL('../apps/main.ts', import.meta.url))])

/** Starts one set of stores for the whole run; test files use different namespaces in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!shared.testStores) {
    console.error(`Random choices follow from TEST_SEED=${process.env.TEST_SEED}.`)
    shared.testStores = startTestStores({ natsUsers: natsUsersOf('*'), log: (line) => console.error(line) })
    await buildApps()
  }
  const { mongodbUrl, natsUrl, natsUrls, redisUrl, stop } = await shared.testStores
  project.provide('mongodbUrl', mongodbUrl)
  project.provide('natsUrl', natsUrl)
  project.provide('natsUrls', natsUrls)
  project.provide('redisUrl', redisUrl)
  return async () => {
    if (!shared.testStores) return
    delete shared.testStores
    await stop()
  }
}
