import { heldList } from '@gatehouse/proto/storage/documents.ts'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { originsOf } from '../api/oauth-apps/redirect-uris.ts'
import type { OauthAppStore, StoredOauthApp } from '../api/oauth-apps/store.ts'
import { CONSOLE_CLIENT_ID } from './console-client.ts'

/** The scopes of apps: that of the interface, and for strict apps those of OpenID Connect. */
export const appScopes = {
  legacy: ['public'],
  strict: ['public', 'openid', 'profile', 'email', 'offline_access'],
} as const

/** An app as oidc-provider's client metadata. */
export function clientOf(app: StoredOauthApp): AdapterPayload {
  const origins = originsOf(app.redirect_uris)
  return {
    client_id: app.client_id,
    // Never compared, since `compareClientSecret` compares hashes (provider.ts). It differs for each set of secrets, because caches use it.
    client_secret: `revision-${app.revision}`,
    client_name: app.name,
    redirect_uris: app.redirect_uris,
    post_logout_redirect_uris: [...new Set([...app.redirect_uris, ...origins, ...origins.map((each) => `${each}/`)])],
    response_types: ['code'],
    grant_types: app.is_strict ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    scope: appScopes[app.is_strict ? 'strict' : 'legacy'].join(' '),
    token_endpoint_auth_method: 'client_secret_basic',
    is_strict: app.is_strict,
    secrets: heldList(app.secrets).map(({ hash, expires_at }) => ({ hash, expires_at: expires_at?.getTime() ?? null })),
  } as AdapterPayload
}

/** oidc-provider's store of an account's apps, of which the console is one. */
export class ClientAdapter implements Pick<Adapter, 'find'> {
  readonly #apps: OauthAppStore
  readonly #accountId: string
  readonly #console: AdapterPayload

  constructor(apps: OauthAppStore, accountId: string, console: AdapterPayload) {
    this.#apps = apps
    this.#accountId = accountId
    this.#console = console
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (id === CONSOLE_CLIENT_ID) return this.#console
    const app = await this.#apps.findByClientId(this.#accountId, id)
    return app ? clientOf(app) : undefined
  }
}
