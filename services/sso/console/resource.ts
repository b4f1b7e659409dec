import { record } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { webRequestFields, webResponse } from '@gatehouse/proto/pages/exchange.ts'

/** The headers of a request that are passed on. */
export const consoleHeaders = ['accept', 'accept-language', 'content-type', 'cookie'] as const

/** What the console needs besides the API, below `/console/`: signing in and out, links of staff members, passkeys (docs/adr/0014). */
export const consolePages = resource('sso.console', 'exchange', {
  handle: {
    summary: 'Answers an HTTP request below `/console/`, other than for the API and the app’s files',
    body: record(webRequestFields),
    reply: webResponse,
  },
})

/**
 * The name of the cookie that holds the id of a session. Browsers let no other host set a cookie whose name begins with `__Host-`, whose path has
 * to be `/`.
 */
export function consoleCookieName(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}console`
}

/** With this the ids of sessions begin: they are no API tokens, and API tokens are no sessions. */
export const SESSION_PREFIX = 'gh_console_'

/** The id of the session in a `Cookie` header; undefined if there is none. */
export function sessionIdIn(header: string | undefined, name: string): string | undefined {
  const id = cookieIn(header, name)
  return id?.startsWith(SESSION_PREFIX) ? id : undefined
}

/**
 * The value of a cookie in a `Cookie` header; undefined if there is none, or several: another host of the same domain may have set one with a
 * longer path, and nothing tells which is ours.
 */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? []
  const [own, ...others] = pairs.filter((pair) => pair.startsWith(`${name}=`))
  return others.length > 0 ? undefined : own?.slice(name.length + 1) || undefined
}
