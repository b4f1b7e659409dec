import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { execute } from '@gatehouse/local/execute'
import { startTestStores, type TestStores } from '@gatehouse/local/test-stores'
import type { BrowserServer } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { natsUsersOf } from '../services/bus-users.ts'
import { storeUsersOf } from '../services/store-users.ts'

declare module 'vitest' {
  // Read by tests through `inject`.
  interface ProvidedContext {
    mongodbUrl: string
    /** Of a NATS user who may do everything. */
    natsUrl: string
    /** By process. */
    natsUrls: Record<string, string>
    redisUrl: string
    /** Answers with the address of the browser of the run, which the first request starts. */
    browserUrl: string
    /** By service, which has its own database there. */
    mongodbUrls: Record<string, string>
    /** By service, which has its own keys there. */
    redisUrls: Record<string, string>
  }
}

/** Vitest loads this file once for each of its projects, which share the stores. */
const shared = globalThis as { testStores?: Promise<TestStores>; browser?: Promise<RunBrowser> }

/** Builds the apps for people, unless that is done: gateways read them when they start. */
const buildApps = () => execute(process.execPath, [fileURLToPath(new URL('../apps/main.ts', import.meta.url))])

interface RunBrowser {
  url: string
  stop(): Promise<void>
}

async function offerBrowser(): Promise<RunBrowser> {
  let browser: Promise<BrowserServer> | undefined
  const server = createServer(async (_request, response) => {
    // Playwright is read only where a test needs a browser.
    browser ??= import('./harness/browser-server.ts').then(({ startBrowserServer }) => startBrowserServer())
    browser.then(
      (started) => response.end(started.wsEndpoint()),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      await (await browser?.catch(() => undefined))?.close()
    },
  }
}

/** Starts one set of stores for the whole run; test files use different namespaces in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!shared.testStores) {
    console.error(`Random choices follow from TEST_SEED=${process.env.TEST_SEED}.`)
    shared.testStores = startTestStores({
      natsUsers: natsUsersOf('*'),
      storeUsers: storeUsersOf('*'),
      log: (line) => console.error(line),
    })
    shared.browser = offerBrowser()
    await buildApps()
  }
  const { mongodbUrl, natsUrl, natsUrls, redisUrl, mongodbUrls, redisUrls, stop } = await shared.testStores
  project.provide('mongodbUrl', mongodbUrl)
  project.provide('natsUrl', natsUrl)
  project.provide('natsUrls', natsUrls)
  project.provide('redisUrl', redisUrl)
  project.provide('mongodbUrls', mongodbUrls)
  project.provide('redisUrls', redisUrls)
  const browser = await shared.browser
  if (browser) project.provide('browserUrl', browser.url)
  return async () => {
    if (!shared.testStores) return
    delete shared.testStores
    await browser?.stop()
    await stop()
  }
}
