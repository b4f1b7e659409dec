import { type Build, buildOf } from '@gatehouse/apps/built'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import fastify, { type FastifyInstance } from 'fastify'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addBuild } from './apps.ts'

/** What happens to a request on a bad network. */
type Fate = 'lost' | 'broken off' | 'refused' | 'answered'

describe('the scanner’s first visit on a bad network', () => {
  let browser: Browser
  let build: Build
  let app: FastifyInstance
  let home: string
  let context: BrowserContext
  /** How often each path was asked for by the installation alone: the page, too, asks for what it shows. */
  let asked: Map<string, number>
  /** What becomes of such a request, by its path and its number. */
  let fateOf: (path: string, number: number) => Fate

  beforeAll(async () => {
    const [found, started] = await Promise.all([buildOf('scanner'), startChromium()])
    build = found ?? expect.fail('the scanner is not built')
    browser = started
  })
  afterAll(() => browser?.close())

  beforeEach(async () => {
    asked = new Map()
    fateOf = () => 'answered'
    app = fastify({ forceCloseConnections: true })
    app.addHook('onRequest', async ({ url, headers }, reply) => {
      // What is lost on a connection that was used before a browser asks for again by itself.
      reply.header('connection', 'close')
      const by = headers['sec-fetch-dest']
      if (by !== 'empty' && by !== 'serviceworker') return
      const number = (asked.get(url) ?? 0) + 1
      asked.set(url, number)
      const fate = fateOf(url, number)
      if (fate === 'answered') return
      if (fate === 'refused') return reply.code(404).send()
      reply.hijack()
      if (fate === 'lost') return void reply.raw.destroy()
      reply.raw.writeHead(200, { 'content-type': 'text/javascript', 'content-length': 10_000 })
      reply.raw.write('half of it', () => reply.raw.destroy())
    })
    await addBuild(app, 'scanner', build)
    home = `${await app.listen({ port: 0, host: '127.0.0.1' })}/scanner/`
    context = await browser.newContext()
    // The machine may be busy.
    context.setDefaultTimeout(90_000)
  })
  afterEach(async () => {
    await context?.close()
    await app?.close()
  })

  const visit = async (): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(home)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }
  const isInstalled = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  /** The paths that are kept under each name. */
  const kept = (page: Page): Promise<Record<string, string[]>> =>
    page.evaluate(`caches.keys().then(async (names) => Object.fromEntries(await Promise.all(names.map(async (name) =>
      [name, (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)]))))`)
  const current = () => `scanner-${build.version}`
  /** The paths of what a device needs without a network. */
  const needed = () =>
    build.files
      .filter((file) => !/\.(br|gz)$|^service-worker\.js$/.test(file))
      .map((file) => `/scanner/${file === 'index.html' ? '' : file}`)

  test('the app opens offline although each file’s first request was lost, the second cut off', deep, async () => {
    fateOf = (_path, number) => (['lost', 'broken off'] as const)[number - 1] ?? 'answered'
    const page = await visit()
    await isInstalled(page)
    // What the page has loaded itself the browser gives the installation without a request.
    expect([...asked.keys()]).toEqual(
      expect.arrayContaining(['/scanner/service-worker.js', '/scanner/', '/scanner/icon-512.png']),
    )
    expect(Math.min(...asked.values())).toBeGreaterThan(2)
    expect((await kept(page))[current()]?.toSorted()).toEqual(needed().toSorted())
    await app.close()
    await page.close()
    await visit()
  })

  test('a failed installation goes on with what is missing; the earlier version stays until then', deep, async () => {
    const missing = '/scanner/icon-512.png'
    fateOf = (path) => (path === missing ? 'refused' : 'answered')
    const page = await context.newPage()
    await page.goto(`${home}icon.svg`)
    await page.evaluate(`caches.open('scanner-earlier').then((cache) => cache.put('./', new Response('earlier')))`)
    await page.goto(home)
    const others = needed().filter((path) => path !== missing)
    await expect.poll(async () => (await kept(page))[current()]?.toSorted()).toEqual(others.toSorted())
    // By the second attempt the first one has ended.
    await expect.poll(() => asked.get(missing)).toBeGreaterThan(1)
    expect(Object.keys(await kept(page))).toContain('scanner-earlier')
    const before = new Map(asked)
    fateOf = () => 'answered'
    await isInstalled(page)
    await expect.poll(async () => Object.keys(await kept(page))).toEqual([current()])
    expect((await kept(page))[current()]?.toSorted()).toEqual(needed().toSorted())
    for (const path of others) expect([path, asked.get(path)]).toEqual([path, before.get(path)])
  })
})
