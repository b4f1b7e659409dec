import type { WebResponse } from '@gatehouse/proto/pages/exchange.ts'

/** A redirect which is not cached, with the cookies which it sets. */
export function redirect(location: string, ...cookies: string[]): WebResponse {
  const headers = [
    { name: 'location', value: location },
    { name: 'cache-control', value: 'no-store' },
    { name: 'referrer-policy', value: 'no-referrer' },
    ...cookies.map((value) => ({ name: 'set-cookie', value })),
  ]
  return { status: 303, headers, body: null }
}

/** An answer for the app. */
export function json(status: number, body: object): WebResponse {
  const headers = [
    { name: 'content-type', value: 'application/json; charset=utf-8' },
    { name: 'cache-control', value: 'no-store' },
  ]
  return { status, headers, body: JSON.stringify(body) }
}
