import type { Process } from '@gatehouse/test/harness/process.ts'
import { startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { retried } from '@gatehouse/test/harness/retried.ts'
import { PASSWORD, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let system: System
let replicas: Process[] = []

beforeAll(async () => {
  system = await startSystem({ checkins: 0, gateway: { deadline_ms: 5_000 } })
  replicas = await Promise.all([1, 2].map(() => startReplicaProcess('sso', system, { rate_limits: 'off' })))
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  await system?.stop()
})

test('sign-ins continue at other replicas, also when their replica is killed', deep, async () => {
  const site = await SsoSite.open(system, 'acme')
  const app = await site.app()
  const people = await Promise.all(Array.from({ length: 6 }, () => site.contact()))
  // Requests in the killed process are answered 503, and perhaps those that make the account's first key. They are repeated, as by a
  // browser's user.
  const pages = await Promise.all(
    people.map(async ({ email }) => {
      const visitor = site.visitor()
      const login = await retried(() => visitor.open(site.authorize(app)))
      return { email, visitor, login }
    }),
  )
  await replicas[0]?.kill()
  const consents = await Promise.all(
    pages.map(async ({ email, visitor, login }) => {
      const consent = await retried(() => visitor.submit(login, { email, password: PASSWORD, step: 'password' }))
      expect(consent.text, `${consent.status} ${consent.url}`).toContain('value="allow"')
      return { email, visitor, consent }
    }),
  )
  const codes = await Promise.all(
    consents.map(async ({ email, visitor, consent }) => {
      const back = await retried(() => visitor.submit(consent, { step: 'allow' }))
      return { email, visitor, code: new URL(back.url).searchParams.get('code') ?? '' }
    }),
  )
  // Some codes are being exchanged during the kill, the others afterwards.
  const [underWay, later] = [codes.slice(0, 3), codes.slice(3)]
  const exchanges = underWay.map(({ code }) => retried(() => site.token(app, code)))
  await replicas[1]?.kill()
  const answers = [...(await Promise.all(exchanges))]
  for (const { code } of later) answers.push(await retried(() => site.token(app, code)))
  for (const [index, { email, visitor }] of codes.entries()) {
    const token = answers[index]
    expect(token?.status, JSON.stringify(token?.body)).toBe(200)
    expect((await retried(() => site.me(token?.body.access_token))).body.email).toBe(email)
    const once = await retried(() => visitor.open(site.authorize(app)))
    expect(once.url).toMatch(/^https:\/\/hub\.example\/callback\?code=/)
  }
})
