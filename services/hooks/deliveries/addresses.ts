import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isPublic, isRefused } from '@gatehouse/proto/declaring/webhook-urls.ts'

/** What a refused address is called in errors and in the delivery log. */
export const REFUSED_ADDRESS = 'ERR_REFUSED_ADDRESS'

/** How long a name server may take, and how often it is asked. */
const ASKING = { timeout: 2_000, tries: 2 }

/**
 * Resolves names for connections, and refuses one when any of its addresses is not public. The connection is made to what this gives, so
 * a name can not mean something else a moment later. Name servers are asked without the few threads that `dns.lookup` has: one that does
 * not answer would hold up the names of all others. So neither `/etc/hosts` nor search domains count.
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

/** All addresses of a name, one at least. Rejects when it has none, or that can not be found out. */
async function addressesOf(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  if (isRefused(hostname)) throw refusal()
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  const [failed] = answers.filter((answer) => answer.status === 'rejected')
  if (addresses.length === 0) throw failed?.reason ?? new Error('The name has no address')
  return addresses
}

function refusal(): Error {
  return Object.assign(new Error('The name leads to an address that is not public'), { code: REFUSED_ADDRESS })
}
