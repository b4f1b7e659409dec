import { randomUUID } from 'node:crypto'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import * as ssoTopics from '@gatehouse/sso/topics'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { Admission, MAX_LOOKUPS } from './admission.ts'
import { noLimiter } from './limits.ts'

/* Lookups of unknown tokens while sso, here a subject, takes its time. */
describe('token lookups', () => {
  const open: Bus[] = []
  let admission: Admission
  let tokens: Bus
  let release = (): void => {}
  /** Hashes that were looked up, and requests for them. */
  let lookups: { hashes: number; requests: number; looks: number }

  beforeEach(async () => {
    const options = {
      servers: inject('natsUrl'),
      namespace: `test-${randomUUID().slice(0, 8)}`,
      name: 'auth-test',
      log: makeLog('auth-test', 'silent'),
      deadlineMs: 60_000,
    }
    const [gateway, sso] = [await connectBus(options), await connectBus(options)]
    open.push(gateway, sso)
    tokens = sso
    lookups = { hashes: 0, requests: 0, looks: 0 }
    const { promise: released, resolve } = Promise.withResolvers<void>()
    release = resolve
    sso.serve('sso.tokens.resolve', 'sso', async (_meta, body) => {
      const { hashes, only_looks } = JSON.parse(Buffer.from(body).toString()) as {
        hashes: string[]
        only_looks?: boolean
      }
      if (only_looks) lookups.looks++
      lookups.hashes += hashes.length
      lookups.requests++
      await released
      return { body: Buffer.from(JSON.stringify(hashes.map(() => ({})))) }
    })
    await sso.flush()
    admission = new Admission(gateway, noLimiter)
    await gateway.flush()
  })
  afterEach(async () => {
    release()
    await Promise.all(open.splice(0).map((bus) => bus.stop()))
  })

  const lookUp = (address: string, count: number): Promise<unknown>[] =>
    Array.from({ length: count }, () => admission.identify(`gh_${randomUUID()}`, address))
  /** What one more lookup gives at once: `unavailable` if it is refused. */
  const oneMore = (address: string): Promise<unknown> =>
    Promise.race([
      admission.identify('gh_one_more', address).catch(({ code }) => code),
      new Promise((resolve) => setImmediate(resolve, 'under way')),
    ])

  test('under way are limited by address: other addresses go on, and so does a token that is already being looked up', async () => {
    const known = admission.identify('gh_known', 'venue')
    const underWay = [known, ...lookUp('venue', MAX_LOOKUPS.perAddress - 1)]
    expect(await oneMore('venue')).toBe('unavailable')
    underWay.push(admission.identify('gh_known', 'venue'), ...lookUp('elsewhere', 1))
    release()
    expect(await Promise.all(underWay)).toEqual(underWay.map(() => undefined))
    // Two requests with the same token shared a lookup, and there is room again.
    expect(lookups.hashes).toBe(MAX_LOOKUPS.perAddress + 1)
    expect(lookups.requests).toBeLessThan(100)
    expect(await Promise.all(lookUp('venue', 2))).toEqual([undefined, undefined])
  })

  test('under way are limited in total, also after a revocation meanwhile', async () => {
    const underWay: Promise<unknown>[] = []
    for (let left = MAX_LOOKUPS.total, n = 0; left > 0; left -= MAX_LOOKUPS.perAddress, n++)
      underWay.push(...lookUp(`address ${n}`, Math.min(left, MAX_LOOKUPS.perAddress)))
    expect(await oneMore('elsewhere')).toBe('unavailable')
    const heard = Promise.withResolvers<void>()
    open[0]?.listen(ssoTopics.tokens, () => heard.resolve())
    await open[0]?.flush()
    tokens.announce(ssoTopics.tokens, '')
    await heard.promise
    expect(await oneMore('elsewhere')).toBe('unavailable')
    release()
    await Promise.all(underWay)
    expect(await admission.identify('gh_other', 'elsewhere')).toBeUndefined()
  })
  test('of open live feeds are no use of a session, and the next request is one', async () => {
    release()
    await admission.stillAt('gh_console_x')
    await admission.stillAt('gh_x')
    expect(lookups).toMatchObject({ looks: 1, requests: 2 })
    await admission.identify('gh_console_x', 'venue')
    await admission.stillAt('gh_console_x')
    expect(lookups).toMatchObject({ looks: 2, requests: 4 })
  })
})
