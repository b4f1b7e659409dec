// @module-tag slow
import { readFile } from 'node:fs/promises'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { takeSuffix } from '../http/request.ts'
import { handbookRoutes } from './handbook.ts'

const alerts = await readFile(new URL('../../deploy/observability/alerts.yaml', import.meta.url), 'utf8')
/** The paths of the runbooks of all alerts. */
const runbooks = [...alerts.matchAll(/runbook_url: https:\/\/gatehouse\.example\.org(\S+)/g)].map(
  ([, path = '']) => path,
)

let app: FastifyInstance
let url: string
beforeAll(async () => {
  app = fastify({ loggerInstance: makeLog('docs', 'silent'), rewriteUrl: takeSuffix }) as unknown as FastifyInstance
  await handbookRoutes(app)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

test('the runbook of each alert is there, without a token', async () => {
  expect(runbooks.length).toBeGreaterThan(10)
  for (const path of runbooks) {
    const [page = '', anchor] = path.split('#')
    const response = await fetch(url + page)
    expect(response.status, path).toBe(200)
    expect(response.headers.get('content-security-policy'), path).toMatch(/^default-src 'none'/)
    expect(await response.text(), path).toContain(`<h3 id="${anchor}">`)
  }
})

test('links lead to other pages and places that are there', async () => {
  const linked = new Map<string, string[]>()
  for (const page of ['operations.md', 'kubernetes.md', 'settings.md']) {
    const html = await (await fetch(`${url}/docs/handbook/${page}`)).text()
    for (const [, href = ''] of html.matchAll(/<a href="(?!https:)([^"]+)"/g)) {
      const [to, anchor] = href.split('#')
      linked.set(to || page, [...(linked.get(to || page) ?? []), ...(anchor ? [anchor] : [])])
    }
  }
  expect(linked.size).toBeGreaterThan(3)
  for (const [page, anchors] of linked) {
    const response = await fetch(`${url}/docs/handbook/${page}`)
    expect(response.status, page).toBe(200)
    const html = await response.text()
    for (const anchor of anchors) expect(html, `${page}#${anchor}`).toContain(` id="${anchor}"`)
  }
})

test.each(['nothing.md', '..%2Fpackage.json', 'guides', 'console.png'])('%s is no page', async (page) => {
  expect((await fetch(`${url}/docs/handbook/${page}`)).status).toBe(404)
})

test('a runbook fits a phone', async () => {
  const browser = await startChromium()
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url + runbooks[0])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  expect(await page.evaluate('document.querySelector(":target").textContent')).toBe('GatehouseDoorSlow')
  expect(await page.evaluate('document.querySelector(":target").getBoundingClientRect().top < innerHeight')).toBe(true)
})
