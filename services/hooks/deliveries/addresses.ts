import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isPublic, isRefused } from '@gatehouse/proto/declaring/webhook-urls.ts'

/** The name of a refused address in errors and in the delivery log. */
export const REFUSED_ADDRESS = 'ERR_REFUSED_ADDRESS'

/** Time-out of a name server, and tries. */
const ASKING = { timeout: 2_000, tries: 2 }

/**
 * Resolves names for connections, and refuses a name if any of its addresses is not public. The connection uses these addresses, so the
 * name cannot change in between. `dns.lookup` is not used, because a name server that does not answer would block its few threads. So
 * neither `/etc/hosts` nor search domains count.
 */
export function publicLookup(resolver = new Resolver(ASKING)): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(resolver, hostname).then(
      (addresses) => {
        if (addresses.some(({ address }) => !isPublic(address))) return callback(refusal(), '', 0)
        const [first] = addresses as [LookupAddress]
        if (options.all) return callback(null, addresses)
        callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, '', 0),
    )
  }
}

/** All addresses of a name, at least one. Rejects if it has none or cannot be resolved. */
async function addressesOf(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  if (isRefused(hostname)) throw refusal()
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  const [failed] = answers.filter((answer) => answer.status === 'rejected')
  if (addresses.length === 0) throw failed?.reason ?? new Error('The host name has no address')
  return addresses
}

function refusal(): Error {
  return Object.assign(new Error('The host name resolves to an address that is not public'), { code: REFUSED_ADDRESS })
}
