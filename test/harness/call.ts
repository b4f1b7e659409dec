/** An answer whose body is read: JSON as a value, all others as text. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  body: any
}

/**
 * Sends a request to the API of a gateway as it is given, with objects as JSON and with texts and bytes unchanged, and reads the answer by its
 * type. The token goes into the address, as devices send it; an empty one is left out.
 */
export async function call(
  base: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  init: RequestInit = {},
): Promise<Answer> {
  const address = new URL(`${base}/api/v1/${path}`)
  if (token !== '') address.searchParams.set('auth_token', token)
  const headers = new Headers(init.headers)
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json; charset=utf-8')
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

/** Returns the body of an answer. Throws if its request failed. */
export async function succeeded(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, text, body } = await answer
  if (status < 200 || status > 299) throw new Error(`a request failed: ${status} ${text}`)
  return body
}
