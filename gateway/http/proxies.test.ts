import { SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { trustedProxies } from './proxies.ts'

const CLIENT = '203.0.113.7'

/** The address in the audit record of a failed sign-in with this `X-Forwarded-For`. */
async function recordedAddress(system: System, forwarded: string): Promise<string> {
  const site = await SsoSite.open(system, `a${crypto.randomUUID().slice(0, 8)}`)
  const visitor = site.visitor({ 'x-forwarded-for': forwarded })
  const page = await visitor.open(site.authorize(await site.app()))
  await visitor.submit(page, { email: 'nobody@example.org', password: 'a guess', step: 'password' })
  const { body } = await system.api('GET', 'audit_records.json?kind=sign_in_failed', undefined, {
    token: site.account.auth_token,
  })
  return body[0]?.address
}

/** The status of a request with an unknown token. */
async function guess(system: System, forwarded: string): Promise<number> {
  const headers = { 'x-forwarded-for': forwarded, 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.1' }
  return (await system.api('GET', 'me.json', undefined, { token: `gh_${crypto.randomUUID()}`, headers })).status
}

describe.each([
  ['true', `198.51.100.1, ${CLIENT}`],
  ['1', `127.0.0.1, ${CLIENT}`],
  ['2', `198.51.100.1, ${CLIENT}, 192.0.2.20`],
  ['127.0.0.0/8, 192.0.2.20, 2001:db8::/32', `198.51.100.1, ${CLIENT}, 2001:db8::7, 192.0.2.20`],
])('with TRUST_PROXY=%s the address of a client', (trust_proxy, forwarded) => {
  test('is the one that the outermost proxy wrote, whatever the client wrote to the left of it', slow, async () => {
    // With a public address that is not this machine, single sign-on answers every client.
    const sso = { public_url: 'https://tickets.example' }
    const gateway = { trust_proxy, rate_limits: 'on', rate_limit_per_stranger: 20 } as const
    const system = await startSystem({ checkins: 0, sso, gateway })
    onTestFinished(() => system.stop())
    expect(await recordedAddress(system, forwarded)).toBe(CLIENT)
    const statuses: number[] = []
    for (let n = 0; n < 40; n++) statuses.push(await guess(system, `192.0.2.${n}, ${forwarded}`))
    expect(new Set(statuses)).toEqual(new Set([403, 429]))
    expect(statuses.at(-1)).toBe(429)
    expect(await guess(system, forwarded.replace(CLIENT, '203.0.113.8'))).toBe(403)
  })
})

test.each([
  ['false', '127.0.0.1', '127.0.0.1'],
  ['0', CLIENT, '127.0.0.1'],
  ['10.0.0.0/8', `198.51.100.1, ${CLIENT}`, '127.0.0.1'],
])(
  'with TRUST_PROXY=%s the peer of the connection is no proxy but the client',
  slow,
  async (trust_proxy, forwarded, address) => {
    const system = await startSystem({ checkins: 0, gateway: { trust_proxy } })
    try {
      expect(await recordedAddress(system, forwarded)).toBe(address)
    } finally {
      await system.stop()
    }
  },
)

test('idle connections of proxies stay longer than any proxy keeps them', slow, async () => {
  const kept = async (trust_proxy: string): Promise<string | null> => {
    const system = await startSystem({ checkins: 0, gateway: { trust_proxy } })
    onTestFinished(() => system.stop())
    return (await fetch(`${system.url}/livez`)).headers.get('keep-alive')
  }
  // Envoy: an hour.
  expect(await kept('true')).toBe('timeout=3660')
  expect(await kept('false')).toBe('timeout=72')
})

test('a client that claims to be this machine does not sign in over plain HTTP', slow, async () => {
  const system = await startSystem({ checkins: 0, gateway: { trust_proxy: 'true' } })
  onTestFinished(() => system.stop())
  const site = await SsoSite.open(system, 'acme')
  const url = site.authorize(await site.app())
  const statusOf = async (forwarded: string): Promise<number> =>
    (await fetch(url, { headers: { 'x-forwarded-for': forwarded }, redirect: 'manual' })).status
  for (const claim of ['127.0.0.1, ', '::1,', '127.0.0.1,127.0.0.1, ']) {
    expect([claim, await statusOf(`${claim}${CLIENT}`)]).toEqual([claim, 503])
  }
  expect(await statusOf('127.0.0.1')).toBe(303)
})

test.each([
  'yes',
  '-1',
  '1.5',
  '100',
  '10.0.0.0/0',
  '::/0',
  '10.0.0.0/33',
  '10.0.0.1,',
  'proxy.example',
  'constructor',
])('TRUST_PROXY=%s is refused by its name', (setting) => {
  expect(() => trustedProxies(setting)).toThrow(/^Configuration: TRUST_PROXY must be /)
})
