import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What a refused address is called in errors and in the delivery log. */
export const REFUSED_ADDRESS = 'ERR_REFUSED_ADDRESS'

/** The one part of IPv6 from which public addresses are given out (RFC 4291, IANA's registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Networks for measurements (RFC 2544), which the library does not know. */
const BENCHMARKING = ipaddr.IPv4.parseCIDR('198.18.0.0/15')

/**
 * Whether a host is an address that no hook may reach: all that is not public. Names are no addresses; they are looked at when they
 * are resolved. Brackets around an IPv6 address do not matter.
 */
export function isRefused(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  return isIP(address) > 0 && !isPublic(address)
}

/** What is mapped, translated or tunnelled IPv4 (`::ffff:…`, NAT64, 6to4, Teredo) is not public: it leads to any address. */
function isPublic(text: string): boolean {
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST)
  return !address.match(BENCHMARKING)
}

/**
 * Resolves a name for a connection, and refuses it when any of its addresses is not public. The connection is made to what this
 * gives, so a name can not mean something else a moment later.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0)
    if (addresses.length === 0 || addresses.some(({ address }) => !isPublic(address))) {
      return callback(
        Object.assign(new Error('The name leads to an address that is not public'), { code: REFUSED_ADDRESS }),
        '',
        0,
      )
    }
    const [first] = addresses as [LookupAddress]
    if (options.all) return callback(null, addresses)
    callback(null, first.address, first.family)
  })
}
