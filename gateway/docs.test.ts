import { makeLog } from '@gatehouse/proto/log.ts'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docsRoutes } from './docs.ts'
import { takeSuffix } from './formats.ts'
import { resources } from './gateway.ts'
import { openApiDocument } from './openapi.ts'

let app: FastifyInstance
let url: string

beforeAll(async () => {
  app = fastify({ loggerInstance: makeLog('docs', 'silent'), rewriteUrl: takeSuffix }) as unknown as FastifyInstance
  await docsRoutes(app, resources)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(() => app.close())

test('the document is served without a token', async () => {
  const response = await fetch(`${url}/openapi.json`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(openApiDocument(resources))
})

test('the page is served with and without a slash at the end', async () => {
  for (const path of ['/docs', '/docs/', '/docs?x=1']) {
    const response = await fetch(url + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  }
})

test('all that the page loads comes from the gateway, and is there', async () => {
  const page = await (await fetch(`${url}/docs`)).text()
  const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(loaded.length).toBeGreaterThanOrEqual(4)
  for (const path of loaded) {
    expect(path).toMatch(/^\/[^/]/)
    const response = await fetch(url + path)
    expect(response.status, path).toBe(200)
    expect((await response.arrayBuffer()).byteLength, path).toBeGreaterThan(100)
  }
})

test('the policy lets no other host, no inline script and no eval in', async () => {
  const response = await fetch(`${url}/docs`)
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self';")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(await response.text()).not.toMatch(/<script>|<style|style="|onload=/)
})

test('of the package only what the page needs can be read', async () => {
  for (const path of [
    '/docs/assets/',
    '/docs/assets/index.html',
    '/docs/assets/..%2fpackage.json',
    '/docs/assets/csp.json',
  ]) {
    expect((await fetch(url + path)).status, path).toBeGreaterThanOrEqual(400)
  }
})
