// @module-tag slow
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { checkIns } from '@gatehouse/checkin/resources'
import { events } from '@gatehouse/guests/resources'
import * as hooks from '@gatehouse/hooks/resources'
import * as partners from '@gatehouse/partners/resources'
import { type Resource, subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import * as sso from '@gatehouse/sso/resources'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { EVENT, StubbedGateway, TOKEN } from '../testing/stubbed-gateway.ts'

/* A gateway whose services, here subjects, do not answer until the test ends: what it asks of them is too much. It takes some 20 seconds, of which 12 are
 * those after which a client is cut off. */

const [DEADLINE_MS, STUCK_AFTER_MS] = [2_000, 6_000]
/** The number of answers that exceed the buffers of both sockets. */
const REPEATED = 20

let gateway: StubbedGateway
let app: FastifyInstance
let base: string
let release: () => void
let released: Promise<void>

beforeAll(async () => {
  ;({ promise: released, resolve: release } = Promise.withResolvers<void>())
  const given = {
    rate_limits: 'off',
    live_feeds: 10_000,
    live_feeds_per_account: 10_000,
    live_feeds_per_token: 10_000,
    max_connections_per_address: 10_000,
  }
  gateway = await StubbedGateway.start(given, { deadlineMs: DEADLINE_MS, stuckAfterMs: STUCK_AFTER_MS })
  ;({ app, base } = gateway)
})
afterAll(async () => {
  release()
  await gateway?.stop()
})

/** Lets all requests of an action wait. */
const waitingFor = <R extends Resource>(resource: R, name: keyof R['actions'] & string): Promise<void> =>
  gateway.answer(subjectOf(resource, name), () => released.then(() => ({})))

/** More than always wait. */
const AT_ONCE = 300
const [REFUSED, RETRY_AFTER] = ['Too many requests in progress; try again later', '2']

/** Asks more and more, until the answer is one of an overloaded gateway; returns it. What misses its deadline has another `Retry-After`. */
async function refusalOf(url: string, { headers = {} } = {}) {
  const refusals: { text: string; headers: Headers }[] = []
  let underWay = 0
  const ask = async (): Promise<void> => {
    const answer = await fetch(base + url, { headers })
    const text = await answer.text()
    const isEarly = answer.headers.get('retry-after') === RETRY_AFTER || text.includes(REFUSED)
    if (answer.status === 503 && isEarly) refusals.push({ text, headers: answer.headers })
  }
  await expect
    .poll(() => {
      for (; underWay < AT_ONCE; underWay++)
        void ask()
          .catch(() => {})
          .finally(() => underWay--)
      return refusals.length
    })
    .toBeGreaterThan(0)
  return refusals[0] as (typeof refusals)[0]
}

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const { oidc, consolePages } = sso
const { invitationPages, partnerPages, registrationPages } = partners

describe('what strangers ask is refused early when there is too much of it', () => {
  test.each<[string, Resource, string]>([
    ['/sso/acme/oauth/authorize', oidc, 'handle'],
    ['/oauth/authorize', oidc, 'handle'],
    ['/interaction/x', oidc, 'handle'],
    ['/console/sign-in', consolePages, 'handle'],
    ['/console/session.json', consolePages, 'handle'],
    ['/rsvp/x/y', invitationPages, 'handle'],
    ['/register/x/y', registrationPages, 'handle'],
    ['/partner/x', partnerPages, 'handle'],
  ])('%s: people get a page, apps an error, both with Retry-After', async (url, resource, name) => {
    await waitingFor(resource, name)
    const error = await refusalOf(url)
    expect(JSON.parse(error.text)).toEqual({ error: REFUSED })
    const page = await refusalOf(url, { headers: BROWSER })
    expect([page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.text).toContain('Please load this page again in a moment.')
  })

  test('live feeds too, before they are opened', async () => {
    await waitingFor(hooks.live, 'watch')
    const refused = await refusalOf(`/api/v1/events/${EVENT}/live?auth_token=${TOKEN}`)
    expect(JSON.parse(refused.text)).toEqual({ error: REFUSED })
  })
})

test('a client that reads none of its answer is cut off, while others go on', async () => {
  const { port } = new URL(base)
  const whole = (await (await fetch(`${base}/openapi.json`)).arrayBuffer()).byteLength * REPEATED
  const connections: Socket[] = []
  const note = (connection: Socket) => void connections.push(connection)
  app.server.on('connection', note)
  const deaf = connect(Number(port), '127.0.0.1').on('error', () => {})
  onTestFinished(() => {
    app.server.off('connection', note)
    deaf.destroy()
  })
  await once(deaf, 'connect')
  deaf.pause().write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(REPEATED))
  const isCutOff = () => connections.find(({ remotePort }) => remotePort === deaf.localPort)?.destroyed
  await expect.poll(isCutOff).toBe(true)
  let read = 0
  deaf
    .on('data', ({ length }) => {
      read += length
    })
    .resume()
  if (!deaf.closed) await once(deaf, 'close')
  expect(read).toBeLessThan(whole)
  expect((await fetch(`${base}/livez`)).status).toBe(200)
})

test('requests whose bodies are still being sent keep nobody out', async () => {
  const path = (what: string): string => `/api/v1/events/${EVENT}${what}.json?auth_token=${TOKEN}`
  const { port } = new URL(base)
  // More scans than are always let in, each of which waits for its client.
  const head = `POST ${path('/access_controls')} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`
  for (let n = 0; n < 300; n++) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    socket.write(head)
    onTestFinished(() => void socket.destroy())
  }
  // Others that wait as long for another service are refused.
  await waitingFor(events, 'read')
  await refusalOf(path(''))
  await gateway.answer(subjectOf(checkIns, 'create'), () => ({ access_status: 0 }))
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(base + path('/access_controls'), { method: 'POST', headers, body: '{}' })
  expect(answer.status, await answer.text()).toBe(201)
})
