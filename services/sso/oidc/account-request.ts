import type { Log } from '@gatehouse/proto/process/log.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import type { AccountStore, StoredAccount } from '../api/accounts/store.ts'
import type { AuditStore } from '../api/audit/store.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Throttle } from '../throttle.ts'
import { isForMachines, routes, takesSecrets } from './endpoints.ts'
import type { Provider } from './library.ts'
import type { ProviderStores } from './provider.ts'
import { authorizationQuery, clientIdOf, dropNeedlessVerifier, dropRepeatedSecret, readForm } from './token-request.ts'

/** The stores and services of single sign-on. */
export interface SsoDependencies extends ProviderStores {
  accounts: AccountStore
  audit: AuditStore
  credentials: Credentials
  passkeys: Passkeys
  throttle: Throttle
  log: Log
}

/** The same for one account. */
export interface AccountDependencies extends SsoDependencies {
  account: StoredAccount
  provider: Provider
  /** The account's secret of 32 bytes. */
  secret: Buffer
  /** Path of the issuer. */
  mount: string
}

/** A request whose account is not known yet. */
export interface UnplacedRequest {
  method: string
  /** Below the issuer. */
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  body: string
  address: string
}

/** A request to one account's single sign-on. */
export interface AccountRequest extends UnplacedRequest {
  account: StoredAccount
}

/** A request as oidc-provider gets it. */
export interface PassedRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** Counts a request. Throws `TooManyAttempts`. */
export async function countRequest(request: AccountRequest, { throttle }: SsoDependencies): Promise<void> {
  const { account, method, path, headers, address } = request
  const network = networkOf(address)
  if (path === routes.authorization) await throttle.count(account._id, 'authorize_address', network)
  if (method !== 'POST' || !takesSecrets(path)) return
  await throttle.count(account._id, 'token_address', network)
  await throttle.count(
    account._id,
    'token_app',
    clientIdOf(formOf(request) ?? new URLSearchParams(), headers.authorization),
  )
}

/** Adapts a request for oidc-provider. */
export async function passedRequest(
  { account, method, path, query, headers, body }: AccountRequest,
  { artifacts, apps }: SsoDependencies,
): Promise<PassedRequest> {
  const search = path === routes.authorization ? authorizationQuery(query) : query
  const url = `${path}${search.size > 0 ? `?${search}` : ''}`
  const passed = { ...headers, ...(isForMachines(path) && { accept: 'application/json' }) }
  const form = formOf({ method, headers, body })
  if (!form || path !== routes.token) return { url, headers: passed, body }
  await dropNeedlessVerifier(form, account._id, artifacts, apps)
  dropRepeatedSecret(form, headers.authorization)
  return {
    url,
    headers: { ...passed, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  }
}

/** The form of a POST; undefined if its body is none, and for other methods. */
export function formOf({
  method,
  headers,
  body,
}: Pick<UnplacedRequest, 'method' | 'headers' | 'body'>): URLSearchParams | undefined {
  return method === 'POST' ? readForm(headers['content-type'], body) : undefined
}
