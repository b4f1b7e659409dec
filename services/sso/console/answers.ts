import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { redirectTo } from '../sign-in/answers.ts'

/** A redirect with the cookies that it sets. */
export function redirect(location: string, ...cookies: string[]): WebResponse {
  const { headers, ...answer } = toAnswer(redirectTo(location))
  return { ...answer, headers: [...headers, ...cookies.map((value) => ({ name: 'set-cookie', value }))] }
}

/** An answer for the app, in JSON; null is an empty one. */
export function json(status: number, body: string | null): WebResponse {
  const headers = [
    ...(body === null ? [] : [{ name: 'content-type', value: 'application/json; charset=utf-8' }]),
    { name: 'cache-control', value: 'no-store' },
  ]
  return { status, headers, body }
}
