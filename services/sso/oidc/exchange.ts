import type { WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { inject } from 'light-my-request'
import { LOOPBACK } from '../api/oauth-apps/redirect-uris.ts'
import type { Issuers } from '../issuers.ts'
import { countRequest, passedRequest, type SsoDependencies, type UnplacedRequest } from './account-request.ts'
import type { KeyStore } from './keys.ts'
import { type AccountAtIssuer, ProviderCache } from './provider-cache.ts'

/** Headers of a connection rather than of an answer. */
const DROPPED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** Passes requests to the providers of accounts. */
export class ProviderExchange {
  readonly #dependencies: SsoDependencies
  readonly #providers: ProviderCache
  readonly #isSecure: boolean

  constructor(dependencies: SsoDependencies, keys: KeyStore, isSecure: boolean) {
    this.#dependencies = dependencies
    this.#providers = new ProviderCache(dependencies, keys)
    this.#isSecure = isSecure
  }

  /** The answer to a request from outside. Throws `TooManyAttempts`. */
  async answer(target: AccountAtIssuer, request: UnplacedRequest): Promise<WebResponse> {
    await countRequest({ ...request, account: target.account }, this.#dependencies)
    return this.answerOwn(target, request)
  }

  /**
   * The answer to a request, which is not counted: strangers must not use up what the console needs for its own. oidc-provider is made for Node's
   * HTTP server: it gets the same objects without a socket.
   */
  async answerOwn(target: AccountAtIssuer, request: UnplacedRequest): Promise<WebResponse> {
    const { method } = request
    const provider = await this.#providers.get(target)
    const own = { ...request, account: target.account }
    const passed = await passedRequest(own, this.#dependencies)
    const { statusCode, headers, payload } = await inject((req, res) => provider.handle(req, res, own, passed.url), {
      method,
      url: passed.url,
      headers: { ...passed.headers, host: provider.host, 'x-forwarded-proto': this.#isSecure ? 'https' : 'http' },
      ...(method === 'POST' && { payload: passed.body }),
    })
    const shown = Object.entries(headers).filter(([name]) => !DROPPED.has(name))
    return {
      status: statusCode,
      headers: shown.flatMap(([name, value]) => [value ?? []].flat().map((each) => ({ name, value: String(each) }))),
      body: payload,
    }
  }
}

/** Whether passwords would be sent in the clear over a network: `PUBLIC_URL` is plain HTTP, and not this very machine. */
export function isOpenToAll({ isSecure, hostname }: Issuers): boolean {
  return !isSecure && !LOOPBACK.has(hostname)
}

/** Whether a request from a network address would be in the clear: the gateway may be reached from other machines although `PUBLIC_URL` is loopback. */
export function isInTheClear(issuers: Issuers, address: string): boolean {
  return isOpenToAll(issuers) || (!issuers.isSecure && !isLocal(address))
}

/** Whether a network address is of this machine. */
function isLocal(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
