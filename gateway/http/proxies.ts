import { isIP } from 'node:net'
import { ConfigurationError } from '@gatehouse/proto/process/config.ts'

/** The proxies whose `X-Forwarded-For` counts, as Fastify's `trustProxy` takes them. */
export type TrustedProxies = false | string[] | ((address: string, hop: number) => boolean)

/**
 * Reads `TRUST_PROXY`: `false` for no proxy, a number of proxies between client and gateway (`true` is 1), or the addresses and networks
 * of the proxies (`10.0.0.0/8, 2001:db8::7`). Throws an error that names the setting.
 */
export function trustedProxies(setting: string): TrustedProxies {
  const count = setting === 'true' ? '1' : setting === 'false' ? '0' : setting
  if (/^\d{1,2}$/.test(count)) {
    const hops = Number(count)
    // Given a number, Fastify trusts no proxy. Hop 0 is the peer of the connection, which names hop 1.
    return hops > 0 && ((_address, hop) => hop < hops)
  }
  const networks = setting.split(',').map((each) => each.trim())
  const wrong = networks.find((each) => !isNetwork(each))
  if (wrong === undefined) return networks
  throw new ConfigurationError(
    `TRUST_PROXY must be true, false, a number of proxies, or their addresses and networks with commas between; "${wrong}" is none of these`,
  )
}

/** Whether a text is an address or a network, other than the network of all addresses (`/0`). */
function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return most > 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= most))
}
