import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { flag } from './fields.ts'
import { type Message, messageOf } from './messages.ts'

/** The setting of services that accept or call the URLs of hooks. */
export const hookSettings = {
  gatehouse_allow_private_hooks: flag({
    default: false,
    description: 'Hooks may reach private and loopback addresses too',
  }),
}

/** The only range of public IPv6 addresses (RFC 4291, IANA's registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Networks for benchmarks (RFC 2544), which the library does not know. */
const BENCHMARKING = ipaddr.IPv4.parseCIDR('198.18.0.0/15')
/** Names that always resolve to this machine (RFC 6761). */
const LOCAL = /(^|\.)localhost\.?$/i

/**
 * The error of a hook's URL, without resolving its name; undefined for a valid one. With `allowPrivate` its address may be private.
 */
export function hookUrlError(url: string, allowPrivate: boolean): Message | undefined {
  const address = URL.parse(url)
  if (!address) return messageOf('invalid_url')
  if (address.username || address.password) return messageOf('url_has_credentials')
  if (!allowPrivate && isRefused(address.hostname)) return messageOf('not_public_address')
  return undefined
}

/**
 * Whether a host is certainly not public: a private address, or a name that always resolves to this machine. Other names are checked when they
 * are resolved. An IPv6 address may have brackets.
 */
export function isRefused(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  return isIP(address) > 0 ? !isPublic(address) : LOCAL.test(address)
}

/**
 * Whether an IP address is public. Mapped, translated and tunnelled IPv4 (`::ffff:…`, NAT64, 6to4, Teredo) is not, since it can lead anywhere.
 */
export function isPublic(text: string): boolean {
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST)
  return !address.match(BENCHMARKING)
}
