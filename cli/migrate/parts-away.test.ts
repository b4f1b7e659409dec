// @module-tag slow

import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { FilledEvent } from '../testing/filled-event.ts'
import { migrateInto } from '../testing/migrating.ts'

let here: System
let there: System
let checkin: Awaited<ReturnType<typeof startReplica>>

beforeAll(async () => {
  here = await startSystem({ with: ['partners', 'leads', 'promo', 'badges'] })
  there = await startSystem({ with: ['leads', 'promo', 'badges'], checkins: 0, gateway: { deadline_ms: 1_000 } })
  checkin = await startReplica('checkin', there)
})
afterAll(async () => {
  await Promise.all([here?.stop(), there?.stop(), checkin?.stop()])
})

// It waits for five seconds: a service that is started again is away for three.
test('a part of the other system that is away is named and left out, and comes once it is there', async () => {
  const partners = await startReplica('partners', there)
  const { id } = await FilledEvent.open(there)
  await partners.stop()
  const { code, err } = await migrateInto(here, there, { event: [id] })
  const host = new URL(there.url).host
  expect(code).toBe(1)
  const leftOut = ['partners', 'invitation_types', 'partner_campaigns'].map((kind) => `${kind} of ${id}: left out.`)
  expect(err.match(/\S+ of \S+: left out\./g)).toEqual(leftOut)
  expect(err).toContain(`${host} answers 503 at events/${id}/partners, though it shows events: its partners are away`)
  expect((await here.api('GET', `events/${id}.json`)).body.guest_count).toBe(2)
  const again = await startReplica('partners', there)
  try {
    expect(await migrateInto(here, there, { event: [id] })).toMatchObject({ code: 0 })
    expect(await migrateInto(here, there, { event: [id], verify: true })).toMatchObject({ code: 0 })
  } finally {
    await again.stop()
  }
})

// It waits for five seconds more. Events count check-ins.
test('what every system has is waited for: after five seconds that is said, and --timeout or Ctrl-C ends it', async () => {
  const { id } = await TestEvent.open(there)
  await checkin.stop()
  const stop = new AbortController()
  const terminal = captured({ stop: stop.signal })
  const stopped = migrateInto(here, there, { event: [id] }, terminal)
  const timedOut = migrateInto(here, there, { event: [id], timeout: 1 })
  await expect(timedOut).rejects.toThrow(': given up after 1 second (--timeout)')
  await expect.poll(() => terminal.text.err).toMatch(/ answers 503 at events; waiting for \d+ seconds so far/)
  stop.abort()
  expect((await stopped).code).toBe(130)
  expect(terminal.text.err).toContain('Stopped. Run it again to continue')
})
