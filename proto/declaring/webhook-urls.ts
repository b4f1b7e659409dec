import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { flag } from './fields.ts'

/** The setting of services that take or call addresses of hooks. */
export const hookSettings = {
  gatehouse_allow_private_hooks: flag({
    default: false,
    description: 'Hooks may reach private and loopback addresses too',
  }),
}

/** That setting, as read. */
export interface HookConfig {
  gatehouse_allow_private_hooks: boolean
}

/** The one part of IPv6 from which public addresses are given out (RFC 4291, IANA's registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Networks for measurements (RFC 2544), which the library does not know. */
const BENCHMARKING = ipaddr.IPv4.parseCIDR('198.18.0.0/15')
/** Names that lead to this machine whoever is asked (RFC 6761). */
const LOCAL = /(^|\.)localhost\.?$/i

/**
 * What is wrong with the address of a hook, as far as it can be seen without asking for its name; undefined when nothing is. `allowPrivate`: it
 * may be private.
 */
export function hookUrlError(url: string, allowPrivate: boolean): string | undefined {
  const address = URL.parse(url)
  if (!address) return 'is not a web address'
  if (address.username || address.password) return "can't hold a user name or password"
  if (!allowPrivate && isRefused(address.hostname)) return 'is not a public address'
  return undefined
}

/**
 * Whether a host is known not to be public: an address that is not, or a name that always leads to this machine. What other names lead to is
 * looked at when they are resolved. Brackets around an IPv6 address do not matter.
 */
export function isRefused(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  return isIP(address) > 0 ? !isPublic(address) : LOCAL.test(address)
}

/**
 * Whether an IP address is public. What is mapped, translated or tunnelled IPv4 (`::ffff:…`, NAT64, 6to4, Teredo) is not: it leads to any
 * address.
 */
export function isPublic(text: string): boolean {
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST)
  return !address.match(BENCHMARKING)
}
