import { type Answer, call } from './call.ts'

/** {@link call} with the gateway and the token of an account; `init` overrides both. */
export type Api = (
  method: string,
  path: string,
  body?: unknown,
  init?: RequestInit & { token?: string; base?: string },
) => Promise<Answer>

/** Requests to the gateway at `url`, with a token. */
export function apiOf(url: string, auth_token: string): Api {
  return (method, path, body, { token = auth_token, base = url, ...init } = {}) =>
    call(base, token, method, path, body, init)
}
