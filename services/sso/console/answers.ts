import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { redirectTo } from '../sign-in/answers.ts'

/** A redirect with the cookies which it sets. */
export function redirect(location: string, ...cookies: string[]): WebResponse {
  const { headers, ...answer } = toAnswer(redirectTo(location))
  return { ...answer, headers: [...headers, ...cookies.map((value) => ({ name: 'set-cookie', value }))] }
}

/** An answer for the app. */
export function json(status: number, body: object): WebResponse {
  const headers = [
    { name: 'content-type', value: 'application/json; charset=utf-8' },
    { name: 'cache-control', value: 'no-store' },
  ]
  return { status, headers, body: JSON.stringify(body) }
}
