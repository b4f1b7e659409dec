/** Hosts that are this very machine: RFC 8252, and the name that developers type. */
export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
// What no address holds unescaped, and what browsers silently read as something else.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0020\u007f-\uffff\\<>"{}|^`*]/

/**
 * What is wrong with an address where contacts are to be sent back to; nothing where it will do. It is kept and compared as it is, so
 * what could be read in two ways is refused.
 */
export function redirectProblem(uri: string): string | undefined {
  if (FORBIDDEN.test(uri)) return 'holds a blank, a * or another sign that an address can not have'
  if (!/^https?:\/\/[^/?#]/.test(uri) || !URL.canParse(uri)) return 'is not an address'
  const { protocol, hostname, username, password } = new URL(uri)
  if (uri.includes('#')) return 'has a fragment'
  if (username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/.test(uri)) return 'has a user in it'
  if (protocol === 'http:' && !LOOPBACK.has(hostname)) return 'must begin with https://'
  return undefined
}

/** The origins of addresses, each once. */
export function originsOf(uris: readonly string[]): string[] {
  return [...new Set(uris.map((uri) => new URL(uri).origin))]
}
