import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltApp, buildOf } from '../../../apps/built.ts'
import { addBuild } from './apps.ts'

describe('apps for people', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem({ guests: 0, checkins: 0 })
  })
  afterAll(() => system?.stop())

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${system.url}${path}`, { headers, redirect: 'manual' })
  /** The addresses of the page’s own files. */
  const filesOf = async (app = 'scanner'): Promise<string[]> =>
    [...(await (await ask(`/${app}/`)).text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)

  test('a page runs no script but its own, inline neither script nor style, and is asked for again each time', async () => {
    const answer = await ask('/scanner/')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';")
    expect(policy).not.toContain('unsafe-inline')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const text = await answer.text()
    expect(text).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/)
    const again = await ask('/scanner/', { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('the page in which the console shows e-mails has no origin, is framed by this site alone, and runs nothing but its script', async () => {
    const { headers } = await ask('/console/mail-frame.html')
    expect([headers.get('x-frame-options'), headers.get('content-security-policy')]).toEqual([
      'SAMEORIGIN',
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts",
    ])
    expect((await ask('/console/')).headers.get('x-frame-options')).toBe('DENY')
  })

  test('files come from the gateway alone; those whose name holds a hash are kept for good', async () => {
    const files = await filesOf()
    expect(files.length).toBeGreaterThan(2)
    for (const path of files) {
      expect(path).toMatch(/^\/scanner\//)
      const { status, headers } = await ask(path)
      const caching = path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, caching])
    }
    expect((await ask('/scanner/service-worker.js')).headers.get('cache-control')).toBe('no-cache')
  })

  test.each<BuiltApp>(['scanner', 'leads', 'print'])(
    'the script of %s, in its longest language, is at most 150 kB before the decoder of pictures',
    async (app) => {
      const { folder = '', files = [] } = (await buildOf(app)) ?? {}
      const scripts = files.filter((file) => /^assets\/(?!decoder-).*\.js$/.test(file))
      const sizes = await Promise.all(
        scripts.map(async (file) => ({
          isLanguage: /\/[a-z]{2}-/.test(file),
          size: (await stat(join(folder, file))).size,
        })),
      )
      const languages = sizes.filter(({ isLanguage }) => isLanguage).map(({ size }) => size)
      const others = sizes.filter(({ isLanguage }) => !isLanguage).map(({ size }) => size)
      expect(languages.length).toBeGreaterThanOrEqual(10)
      expect(others.reduce((sum, size) => sum + size, Math.max(...languages))).toBeLessThanOrEqual(150_000)
    },
  )

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
  ])('to who takes %j a script is sent as %j', async (accepted, encoding) => {
    const script = (await filesOf()).find((path) => path.endsWith('.js')) ?? ''
    const plain = await (await ask(script, { 'accept-encoding': 'identity' })).text()
    const answer = await ask(script, { 'accept-encoding': accepted })
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([encoding, 'accept-encoding'])
    expect(await answer.text()).toBe(plain)
  })

  test('who opens the address of the gateway alone is led to the console', async () => {
    const { status, headers } = await ask('/')
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([302, '/console/', 'no-store'])
  })

  test('the address without a slash leads there, and nothing else of the folder has an address', async () => {
    const { status, headers } = await ask('/scanner')
    expect([status, headers.get('location')]).toEqual([308, '/scanner/'])
    for (const path of [
      'index.html',
      'current',
      '../../package.json',
      '%2e%2e/current',
      'assets/',
      'service-worker.js.br',
    ])
      expect([path, (await ask(`/scanner/${path}`)).status]).toEqual([path, 404])
  })

  // That of the console has the names of time zones that the API takes and browsers do not know.
  test.each([
    ['scanner', 150],
    ['console', 160],
  ])('the script with which the %s starts is smaller than %i kB', async (app, most) => {
    const scripts = (await filesOf(app)).filter((path) => path.endsWith('.js'))
    const sizes = scripts.map(async (path) => (await (await ask(path)).arrayBuffer()).byteLength)
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(most * 1_000)
  })
})

test('a running gateway serves its build to the end, after the next one has removed it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'build-'))
  await writeFile(join(folder, 'main.js'), 'first()')
  await using app = fastify()
  await addBuild(app, 'scanner', { version: 'first', folder, files: ['main.js'] })
  await rm(folder, { recursive: true })
  const { statusCode, body } = await app.inject('/scanner/main.js')
  expect([statusCode, body]).toEqual([200, 'first()'])
})
