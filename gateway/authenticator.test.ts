import { randomUUID } from 'node:crypto'
import { type Bus, connectBus } from '@gatehouse/proto/bus/bus.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { Authenticator, MAX_LOOKUPS } from './authenticator.ts'

/* Lookups of tokens which nobody knows yet, while whoever knows them takes his time: sso is a subject here. */
describe('lookups under way are bounded', () => {
  const open: Bus[] = []
  let gatekeeper: Authenticator
  let tokens: Bus
  let release = (): void => {}
  /** How many hashes were asked for, and in how many questions. */
  let asked: { hashes: number; questions: number }

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
    asked = { hashes: 0, questions: 0 }
    const { promise: released, resolve } = Promise.withResolvers<void>()
    release = resolve
    sso.serve('sso.tokens.resolve', 'sso', async (_meta, body) => {
      const { hashes } = JSON.parse(Buffer.from(body).toString()) as { hashes: string[] }
      asked.hashes += hashes.length
      asked.questions++
      await released
      return { body: Buffer.from(JSON.stringify(hashes.map(() => ({})))) }
    })
    await sso.flush()
    gatekeeper = new Authenticator(gateway)
    await gateway.flush()
  })
  afterEach(async () => {
    release()
    await Promise.all(open.splice(0).map((bus) => bus.stop()))
  })

  const lookUp = (address: string, count: number): Promise<unknown>[] =>
    Array.from({ length: count }, () => gatekeeper.identify(`gh_${randomUUID()}`, address))
  /** What comes of one more lookup at once: `unavailable` where it is refused. */
  const oneMore = (address: string): Promise<unknown> =>
    Promise.race([
      gatekeeper.identify('gh_one_more', address).catch(({ code }) => code),
      new Promise((resolve) => setImmediate(resolve, 'under way')),
    ])

  test('by address: another address goes on, and so does what is looked up already', async () => {
    const known = gatekeeper.identify('gh_known', 'venue')
    const underWay = [known, ...lookUp('venue', MAX_LOOKUPS.perAddress - 1)]
    expect(await oneMore('venue')).toBe('unavailable')
    underWay.push(gatekeeper.identify('gh_known', 'venue'), ...lookUp('elsewhere', 1))
    release()
    expect(await Promise.all(underWay)).toEqual(underWay.map(() => undefined))
    // The two who asked for the same took one, and there is room again.
    expect(asked.hashes).toBe(MAX_LOOKUPS.perAddress + 1)
    expect(asked.questions).toBeLessThan(100)
    expect(await Promise.all(lookUp('venue', 2))).toEqual([undefined, undefined])
  })

  test('in total, whatever is revoked meanwhile', async () => {
    const underWay: Promise<unknown>[] = []
    for (let left = MAX_LOOKUPS.total, n = 0; left > 0; left -= MAX_LOOKUPS.perAddress, n++)
      underWay.push(...lookUp(`address ${n}`, Math.min(left, MAX_LOOKUPS.perAddress)))
    expect(await oneMore('elsewhere')).toBe('unavailable')
    const heard = Promise.withResolvers<void>()
    open[0]?.listen('tokens', () => heard.resolve())
    await open[0]?.flush()
    tokens.announce('tokens', '')
    await heard.promise
    expect(await oneMore('elsewhere')).toBe('unavailable')
    release()
    await Promise.all(underWay)
    expect(await gatekeeper.identify('gh_other', 'elsewhere')).toBeUndefined()
  })
})
