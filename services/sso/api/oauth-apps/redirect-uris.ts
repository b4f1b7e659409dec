import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'

/** Hosts of this machine: those of RFC 8252, and localhost. */
export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
// Characters that addresses hold only escaped, and those that browsers silently change.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0020\u007f-\uffff\\<>"{}|^`*]/

/** Returns the errors of addresses; none if they are not given. */
export function redirectErrors(uris: string[] | undefined): FieldErrors {
  if (uris?.length === 0) return { redirect_uris: [messageOf('blank')] }
  const problems = (uris ?? []).flatMap((uri, index) => {
    const problem = redirectProblem(uri)
    return problem ? [[`redirect_uris.${index}`, [problem]]] : []
  })
  return Object.fromEntries(problems)
}

/**
 * Returns the problem of a redirect address, if it has one. Addresses are stored and compared as they are, so ambiguous ones are refused.
 */
function redirectProblem(uri: string): string | undefined {
  if (FORBIDDEN.test(uri)) return 'holds a blank, a * or another sign that an address cannot have'
  if (!/^https?:\/\/[^/?#]/.test(uri) || !URL.canParse(uri)) return 'is not an address'
  const { protocol, hostname, username, password } = new URL(uri)
  if (uri.includes('#')) return 'has a fragment'
  if (username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/.test(uri)) return 'has a user in it'
  if (protocol === 'http:' && !LOOPBACK.has(hostname)) return 'must begin with https://'
  return undefined
}

/** The origins of addresses, without repetitions. */
export function originsOf(uris: readonly string[]): string[] {
  return [...new Set(uris.map((uri) => new URL(uri).origin))]
}
