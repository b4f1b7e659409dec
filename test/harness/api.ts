/** An answer whose body is read: JSON as a value, all others as text. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  body: any
}

/**
 * Sends a request to the API, with objects as JSON and with texts and bytes unchanged, and reads the answer by its type. `init` overrides token,
 * gateway and headers.
 */
export type Api = (
  method: string,
  path: string,
  body?: unknown,
  init?: RequestInit & { token?: string; base?: string },
) => Promise<Answer>

/** Requests to the gateway at `url`, with a token. */
export function apiOf(url: string, auth_token: string): Api {
  return async (method, path, body, { token, base, ...init } = {}) => {
    const address = new URL(`${base ?? url}/api/v1/${path}`)
    if (token !== '') address.searchParams.set('auth_token', token ?? auth_token)
    const headers = new Headers(init.headers)
    if (body !== undefined && !headers.has('content-type'))
      headers.set('content-type', 'application/json; charset=utf-8')
    const isRaw = typeof body === 'string' || body === undefined || body instanceof Uint8Array
    const raw = isRaw ? (body as RequestInit['body']) : JSON.stringify(body)
    const response = await fetch(address, { method, ...init, headers, ...(raw !== undefined && { body: raw }) })
    // A feed does not end.
    const isFeed = response.headers.get('content-type')?.startsWith('text/event-stream')
    const text = isFeed ? '' : await response.text()
    if (isFeed) await response.body?.cancel()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : text,
    }
  }
}
