// @module-tag slow
import { connect } from 'node:net'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import fastify, { type FastifyInstance } from 'fastify'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeSuffix } from '../http/request.ts'
import committed from '../openapi/openapi.json' with { type: 'json' }
import forClients from '../openapi/openapi-client.json' with { type: 'json' }
import { docsRoutes } from './docs.ts'

const PUBLIC = 'https://tickets.example/gate'

let app: FastifyInstance
let url: string
/** The bodies that the only operation here has received. */
const tried: unknown[] = []

beforeAll(async () => {
  app = fastify({ loggerInstance: makeLog('docs', 'silent'), rewriteUrl: takeSuffix }) as unknown as FastifyInstance
  await docsRoutes(app, PUBLIC)
  app.post('/api/v1/events/:event_id/guests', async ({ body }) => {
    tried.push(body)
    return {}
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(() => app.close())

/** The paths that the page loads, in its order. */
async function named(): Promise<string[]> {
  const page = await (await fetch(`${url}/docs`)).text()
  return [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
}

test.each([
  ['openapi.json', committed],
  ['openapi-client.json', forClients],
])(
  '%s is served without a token, compressed or not, names this gateway by its address, and is 304 if the client has it',
  async (name, { info, ...rest }) => {
    const own = {
      ...rest,
      info: { ...info, contact: { ...info.contact, url: `${PUBLIC}/docs` } },
      servers: [{ ...rest.servers[0], url: PUBLIC }],
    }
    for (const encoding of ['gzip, br', 'identity', 'gzip;q=0']) {
      const response = await fetch(`${url}/${name}`, { headers: { 'accept-encoding': encoding } })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-encoding')).toBe(encoding.includes('gzip,') ? 'gzip' : null)
      expect(await response.json()).toEqual(own)
      const etag = response.headers.get('etag') ?? ''
      const again = await fetch(`${url}/${name}`, { headers: { 'if-none-match': etag } })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
  },
)

test('answers that nobody reads share one copy of the document', async () => {
  const { hostname, port } = new URL(url)
  let answered = 0
  const count = () => void answered++
  app.server.on('request', count)
  const before = process.memoryUsage()
  const requests = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50)
  const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname).pause())
  for (const socket of sockets) socket.write(requests)
  await expect.poll(() => answered).toBe(20 * 50)
  app.server.off('request', count)
  // The document is unpacked by now.
  await (await fetch(`${url}/openapi.json`, { headers: { 'accept-encoding': 'identity' } })).text()
  const after = process.memoryUsage()
  for (const socket of sockets) socket.destroy()
  // A copy for each would take 700 MB, and a decompressor for each 100.
  const grown = after.external + after.heapUsed - before.external - before.heapUsed
  expect(grown).toBeLessThan(30 * 2 ** 20)
})

test('the page is served with and without a slash at the end', async () => {
  for (const path of ['/docs', '/docs/', '/docs?x=1']) {
    const response = await fetch(url + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  }
})

test('everything that the page loads comes from the gateway and exists', async () => {
  const loaded = await named()
  expect(loaded.length).toBeGreaterThanOrEqual(4)
  for (const path of loaded) {
    expect(path).toMatch(/^\/[^/]/)
    const response = await fetch(url + path)
    expect(response.status, path).toBe(200)
    expect((await response.arrayBuffer()).byteLength, path).toBeGreaterThan(100)
  }
})

test('the policy allows no other host, no inline script and no eval', async () => {
  const response = await fetch(`${url}/docs`)
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self';")
  expect(policy?.replace("style-src 'unsafe-inline';", '')).not.toMatch(/unsafe|https?:|\*/)
  expect(await response.text()).not.toMatch(/<script>|<style|style="|onload=/)
})

test("the viewer's script is compressed, and its path names its version, so that it may be cached for good", async () => {
  const viewer = (await named()).find((path) => path.includes('scalar')) ?? ''
  expect(viewer).toMatch(/^\/docs\/scalar-\d+\.\d+\.\d+\.js$/)
  const { headers } = await fetch(url + viewer)
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(headers.get('cache-control')).toContain('immutable')
  expect(Number(headers.get('content-length'))).toBeLessThan(2_000_000)
})

describe('the page in a browser', deep, () => {
  const GUIDE = { hash: '', heading: 'First check-in' }
  const OPERATION = {
    hash: '#tag/guests/POST/api/v1/events/{event_id}/guests.{format}',
    heading: 'Register a guest',
  }
  const desk = { width: 1280, height: 800 }
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  /** A new browser context, and what violates the policy, fails or goes to another host there. */
  async function opened(look: BrowserContextOptions = {}): Promise<{ context: BrowserContext; wrong: string[] }> {
    const context = await browser.newContext(look)
    context.setDefaultTimeout(150_000)
    const wrong: string[] = []
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') wrong.push(message.text())
    })
    context.on('weberror', (error) => wrong.push(error.error().message))
    context.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) wrong.push(request.url())
    })
    return { context, wrong }
  }

  test.each([
    { name: 'light', shown: [GUIDE], viewport: desk, colorScheme: 'light' },
    { name: 'dark', shown: [OPERATION], viewport: desk, colorScheme: 'dark' },
    { name: 'phone', shown: [GUIDE, OPERATION], viewport: { width: 360, height: 740 }, colorScheme: 'light' },
  ] as const)(
    '$name: guides and operations are shown, nothing violates the policy, no other host is contacted',
    async ({ name, shown, ...look }) => {
      const { context, wrong } = await opened(look)
      for (const { hash, heading } of shown) {
        const page = await context.newPage()
        await page.goto(`${url}/docs${hash}`)
        await page.getByRole('heading', { name: heading, exact: true }).waitFor()
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
        const folder = process.env.SCREENSHOTS
        if (folder) await page.screenshot({ path: `${folder}/docs-${name}-${heading.replaceAll(' ', '-')}.png` })
      }
      expect(wrong).toEqual([])
      await context.close()
    },
  )

  test('a request that is tried out goes to this gateway and to no other host', async () => {
    const { context, wrong } = await opened({ viewport: desk })
    const page = await context.newPage()
    await page.goto(`${url}/docs${OPERATION.hash}`)
    await page.getByRole('heading', { name: OPERATION.heading, exact: true }).waitFor()
    await page
      .getByRole('button', { name: /Test Request.*POST.*guests/i })
      .first()
      .click()
    await page.getByRole('button', { name: /^Send/ }).last().click()
    await expect.poll(() => tried).toMatchObject([{ last_name: 'Lovelace', uid: 'ada1815' }])
    expect(wrong).toEqual([])
    await context.close()
  })
})
