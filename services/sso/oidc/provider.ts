import type { AccountClaims, Client, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { StoredAccount } from '../api/accounts/store.ts'
import type { ContactFieldStore } from '../api/contact-fields/store.ts'
import { nameOf } from '../api/contacts/names.ts'
import type { ContactStore, StoredContact } from '../api/contacts/store.ts'
import { isSecretOf } from '../api/oauth-apps/secrets.ts'
import type { OauthAppStore, StoredOauthApp } from '../api/oauth-apps/store.ts'
import { mountOf } from '../issuers.ts'
import { marked } from './access-tokens.ts'
import { ArtifactAdapter, type Revoked } from './adapter.ts'
import type { ArtifactStore } from './artifacts.ts'
import { appScopes, ClientAdapter } from './clients.ts'
import type { ConsentStore } from './consents.ts'
import { CONSOLE_CLIENT_ID, CONSOLE_SCOPES, consoleClient } from './console-client.ts'
import { routes } from './endpoints.ts'
import { nextGrantId } from './grants.ts'
import type { Keys } from './keys.ts'
import { errors, Provider } from './library.ts'
import { sessionCookie, sessionCookiePrefix } from './session-cookie.ts'
import { sessionFields } from './sessions.ts'
import { contactOnce, signedInModels } from './signed-in.ts'

/** The stores of a provider. */
export interface ProviderStores {
  artifacts: ArtifactStore
  consents: ConsentStore
  contacts: ContactStore
  fields: ContactFieldStore
  apps: OauthAppStore
  /** The address of the console, without a slash at its end. */
  consoleUrl: string
}

/** The pages that oidc-provider asks for. */
export interface ProviderPages {
  error(ctx: KoaContextWithOIDC, error: Error, details: string): Promise<void>
  signOut(ctx: KoaContextWithOIDC, form: string): Promise<void>
  signedOut(ctx: KoaContextWithOIDC): Promise<void>
}

const MINUTE = 60
const DAY = 86_400

/** How long artifacts are valid, in seconds. The interface fixes that of access tokens. */
const ttl = {
  AccessToken: 7_200,
  AuthorizationCode: 2 * MINUTE,
  IdToken: 60 * MINUTE,
  RefreshToken: 30 * DAY,
  Session: 14 * DAY,
  Grant: 30 * DAY,
  Interaction: 60 * MINUTE,
}

/** The settings that all providers share. */
const settings: Configuration = {
  routes,
  ttl,
  scopes: [...appScopes.strict],
  claims: { openid: ['sub'], profile: ['name', 'given_name', 'family_name', 'updated_at'], email: ['email'] },
  responseTypes: ['code'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
  enabledJWA: { idTokenSigningAlgValues: ['RS256'], userinfoSigningAlgValues: ['RS256'] },
  pkce: { required: (_ctx, client) => client.is_strict === true },
  rotateRefreshToken: true,
  extraParams: ['locale'],
  extraClientMetadata: { properties: ['is_strict', 'secrets'] },
  // The authorization names its redirect URI, and the exchange of its code repeats it (RFC 6749, 4.1.3).
  allowOmittingSingleRegisteredRedirectUri: false,
  // An access token also has 16 characters of its account, so it is as long as the others.
  formats: { bitsOfOpaqueRandomness: (_ctx, token) => (token.kind === 'AccessToken' ? 162 : 256) },
  clientBasedCORS: () => false,
  conformIdTokenClaims: false,
}

/** Returns an account's OAuth 2 and OpenID Connect provider. It holds no state that other replicas would need. */
export function makeProvider(
  { _id: account_id, slug }: Pick<StoredAccount, '_id' | 'slug'>,
  issuer: string,
  keys: Keys,
  stores: ProviderStores,
  pages: ProviderPages,
  revoked: (grant: Revoked) => void,
): Provider {
  const { artifacts, contacts, apps, consoleUrl } = stores
  const ownClient = consoleClient(consoleUrl, keys.cookies)
  const isSecure = issuer.startsWith('https:')
  const mount = mountOf(issuer)
  const provider = new Provider(issuer, {
    ...settings,
    adapter: (name) =>
      name === 'Client'
        ? (new ClientAdapter(apps, account_id, ownClient) as never)
        : new ArtifactAdapter(artifacts, contacts, account_id, name, revoked),
    jwks: { keys: keys.signing },
    cookies: {
      keys: [keys.cookies.toString('base64url')],
      names: {
        session: `${sessionCookiePrefix(isSecure)}${slug}`,
        // These have the path of their sign-in, so two windows do not share them.
        interaction: `${isSecure ? '__Secure-' : ''}sso-step`,
        resume: `${isSecure ? '__Secure-' : ''}sso-resume`,
      },
      long: sessionCookie,
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    interactions: { url: (_ctx, interaction) => `${mount}/interaction/${interaction.uid}` },
    features: featuresWith(pages),
    renderError: (ctx, out, error) =>
      pages.error(ctx, error, [out.error, out.error_description].filter(Boolean).join(': ')),
    async findAccount(_ctx, sub) {
      const contact = await contactOnce(contacts, account_id, sub)
      if (!contact || contact.is_blocked) return undefined
      return { accountId: contact._id, email: contact.email, claims: async () => claimsOf(contact) }
    },
    loadExistingGrant: (ctx) => existingGrant(stores.consents, account_id, ctx),
  })
  // Host and protocol come from handle.ts, never from a client.
  provider.proxy = true
  adaptModels(provider, account_id)
  return provider
}

function featuresWith(pages: ProviderPages): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    dPoP: { enabled: false },
    userinfo: { enabled: true },
    revocation: { enabled: true, allowedPolicy: ownTokenOnly },
    introspection: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => pages.signOut(ctx, form),
      postLogoutSuccessSource: (ctx) => pages.signedOut(ctx),
    },
  }
}

/** Returns the grant of a sign-in: the one of before, or a new one if the contact has consented. */
async function existingGrant(consents: ConsentStore, account_id: string, { oidc }: KoaContextWithOIDC) {
  const client_id = oidc.client?.clientId
  const contact_id = oidc.account?.accountId
  if (!client_id || !contact_id) return undefined
  const last = oidc.session?.grantIdFor(client_id)
  const grantId = oidc.result?.consent?.grantId ?? last
  const known = grantId ? await oidc.provider.Grant.find(grantId) : undefined
  if (known?.accountId === contact_id) {
    // Artifacts end with their grant, so it must outlive them.
    if (known.remainingTTL < DAY) {
      Object.assign(known, { exp: Math.floor(Date.now() / 1000) + ttl.Grant })
      await known.save()
    }
    return known
  }
  const isOwn = client_id === CONSOLE_CLIENT_ID
  const scopes = isOwn ? CONSOLE_SCOPES : await consents.of(account_id, contact_id, client_id)
  if (scopes.length === 0) return undefined
  const jti = nextGrantId(String(oidc.session?.uid), client_id, last)
  const grant = new oidc.provider.Grant({ jti, accountId: contact_id, clientId: client_id } as object)
  grant.addOIDCScope(scopes.join(' '))
  await grant.save()
  return grant
}

/** Adapts the models of a provider, which are its own. */
function adaptModels(provider: Provider, account_id: string): void {
  for (const name of signedInModels) {
    const model = provider[name] as { IN_PAYLOAD: string[] }
    const fields = name === 'Session' ? sessionFields : ['version']
    Object.defineProperty(model, 'IN_PAYLOAD', { value: [...model.IN_PAYLOAD, ...fields] })
  }
  const { generateTokenId } = provider.AccessToken.prototype as unknown as { generateTokenId(): string }
  Object.assign(provider.AccessToken.prototype, {
    generateTokenId(this: object): string {
      return marked(account_id, generateTokenId.call(this))
    },
  })
  // The session gets the contact's version of when the password was checked, and all its artifacts get it from there.
  provider.on('interaction.ended', (ctx) => {
    const login = ctx.oidc.result?.login as { version?: number } | undefined
    if (login) Object.assign(ctx.oidc.session ?? {}, { version: login.version })
  })
  // Only hashes of an app's secrets are stored, and after a roll two are valid for a while.
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: Client, actual: string): boolean {
      const stored = this.secrets as { hash: string; expires_at: number | null }[]
      const secrets = stored.map(({ hash, expires_at }) => ({ hash, expires_at: expires_at && new Date(expires_at) }))
      return isSecretOf({ secrets } as Pick<StoredOauthApp, 'secrets'>, actual)
    },
  })
}

/** The OpenID Connect claims of a contact. */
function claimsOf(contact: StoredContact): AccountClaims {
  const { _id, email, first_name, last_name, updated_at } = contact
  const name = nameOf(contact)
  return {
    sub: _id,
    email,
    ...(name && { name }),
    ...(first_name && { given_name: first_name }),
    ...(last_name && { family_name: last_name }),
    updated_at: Math.floor(updated_at.getTime() / 1000),
  }
}

async function ownTokenOnly(_ctx: unknown, client: Client, token: { clientId?: string | undefined }): Promise<boolean> {
  if (token.clientId !== client.clientId) throw new errors.InvalidRequest('the token is not of this app')
  return true
}
