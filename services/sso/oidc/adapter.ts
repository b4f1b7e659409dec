import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { ContactStore, StoredContact } from '../contacts/store.ts'
import { originsOf } from '../oauth-apps/redirect-uris.ts'
import type { OauthAppStore, StoredOauthApp } from '../oauth-apps/store.ts'
import type { ArtifactStore, Found } from './artifacts.ts'
import { errors, Provider } from './library.ts'
import { Sessions } from './sessions.ts'
import { claimFor } from './single-use.ts'

/** The models that are signed in with, and void once their contact's version has moved on. */
export const signedInModels = ['Session', 'AuthorizationCode', 'AccessToken', 'RefreshToken'] as const

/** What the scopes of an app are: those of the interface, and for strict apps those of OpenID Connect. */
export const appScopes = {
  legacy: ['public'],
  strict: ['public', 'openid', 'profile', 'email', 'offline_access'],
} as const

/** An app as oidc-provider's client metadata. */
export function clientOf(app: StoredOauthApp): AdapterPayload {
  const origins = originsOf(app.redirect_uris)
  return {
    client_id: app.client_id,
    // Never compared: `compareClientSecret` looks at the hashes (provider.ts). Other for each set of secrets, as caches tell them apart by it.
    client_secret: `revision-${app.revision}`,
    client_name: app.name,
    redirect_uris: app.redirect_uris,
    post_logout_redirect_uris: [...new Set([...app.redirect_uris, ...origins, ...origins.map((each) => `${each}/`)])],
    response_types: ['code'],
    grant_types: app.is_strict ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    scope: appScopes[app.is_strict ? 'strict' : 'legacy'].join(' '),
    token_endpoint_auth_method: 'client_secret_basic',
    is_strict: app.is_strict,
    secrets: app.secrets.map(({ hash, expires_at }) => ({ hash, expires_at: expires_at?.getTime() ?? null })),
  } as AdapterPayload
}

/** Where oidc-provider finds an account's apps. */
export class ClientAdapter implements Pick<Adapter, 'find'> {
  readonly #apps: OauthAppStore
  readonly #accountId: string

  constructor(apps: OauthAppStore, accountId: string) {
    this.#apps = apps
    this.#accountId = accountId
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const app = await this.#apps.findByClientId(this.#accountId, id)
    return app ? clientOf(app) : undefined
  }
}

/** What a grant gives, and ends with it. */
const givenModels = ['AccessToken', 'RefreshToken', 'AuthorizationCode'] as const

/** How long after a step of a sign-in the same browser may ask for it again, in seconds: nobody knows whether its answer came. */
const ASK_AGAIN_SECONDS = 60

/** Whose grant was revoked. */
export interface Revoked {
  contact_id?: string | null | undefined
  client_id?: string | null | undefined
}

/** Where oidc-provider keeps one of its models for one account. */
export class ArtifactAdapter implements Adapter {
  readonly #artifacts: ArtifactStore
  readonly #contacts: ContactStore
  readonly #sessions: Sessions
  readonly #accountId: string
  readonly #kind: string
  readonly #isSignedIn: boolean
  readonly #revoked: (grant: Revoked) => void

  constructor(
    artifacts: ArtifactStore,
    contacts: ContactStore,
    accountId: string,
    kind: string,
    revoked: (grant: Revoked) => void,
  ) {
    this.#artifacts = artifacts
    this.#contacts = contacts
    this.#sessions = new Sessions(artifacts, accountId)
    this.#accountId = accountId
    this.#kind = kind
    this.#isSignedIn = (signedInModels as readonly string[]).includes(kind)
    this.#revoked = revoked
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    if (this.#isSignedIn && payload.accountId && payload.version === undefined) payload.version = versionAtHand()
    if (this.#kind === 'Session') return this.#sessions.put(id, payload, expiresIn ?? 0)
    const { grantId, accountId, clientId } = payload
    await this.#artifacts.put(this.#accountId, this.#kind, id, payload, expiresIn ?? 0, {
      grant_id: grantId,
      contact_id: accountId,
      client_id: clientId,
    })
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.#kind !== 'Session') return this.#valid(await this.#artifacts.find(this.#accountId, this.#kind, id))
    const session = await this.#artifacts.findSession(this.#accountId, id)
    return session && this.#valid({ ...session, payload: Sessions.loaded(session) })
  }

  /** Sessions alone have one. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const session = await this.#artifacts.findSessionByUid(this.#accountId, uid)
    return session && this.#valid({ ...session, payload: Sessions.loaded(session) })
  }

  /** There are no devices here. */
  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  async consume(id: string): Promise<void> {
    const request = Provider.ctx?.oidc ?? {}
    if (await claimFor(request, this.#artifacts, this.#accountId, this.#kind, id)) return
    // Of two that come at the same moment both have found it unused: oidc-provider revokes only what it has found used.
    const found = await this.#artifacts.find(this.#accountId, this.#kind, id)
    if (found?.payload.grantId) await this.#endGrant(String(found.payload.grantId))
    throw new errors.InvalidGrant('already used')
  }

  async destroy(id: string): Promise<void> {
    if (this.#kind === 'Grant') return this.#endGrant(id)
    // oidc-provider ends an interaction before it stores what came of it: whoever is killed between would take the sign-in along.
    if (this.#kind === 'Interaction') return this.#artifacts.endIn(this.#accountId, this.#kind, id, ASK_AGAIN_SECONDS)
    if (this.#kind !== 'Session') return this.#artifacts.delete(this.#accountId, this.#kind, id)
    // A session that gets another id is the same one, and is put under that id in the next moment.
    const atHand = Provider.ctx?.oidc?.session as { jti?: string; oldId?: string } | undefined
    const isRenamed = atHand?.oldId === id && atHand.jti !== id
    if (!isRenamed) await this.#artifacts.deleteSession(this.#accountId, id)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#artifacts.deleteOfGrant(this.#accountId, this.#kind, grantId)
  }

  /** From the first of these steps on nothing under the grant is good; the others spare the store what nobody can use. */
  async #endGrant(grantId: string): Promise<void> {
    const ended = await this.#artifacts.endGrant(this.#accountId, grantId)
    if (ended) this.#revoked(ended)
    for (const kind of givenModels) await this.#artifacts.deleteOfGrant(this.#accountId, kind, grantId)
  }

  /** What was found, unless its contact has moved on: other password, blocked, gone. */
  async #valid(found: Found | undefined): Promise<AdapterPayload | undefined> {
    if (!found) return undefined
    const payload = found.payload as AdapterPayload
    if (this.#isSignedIn && payload.accountId) {
      const contact = await contactOnce(this.#contacts, this.#accountId, payload.accountId)
      if (!isSignedIn(contact, payload.version)) return undefined
    }
    return { ...payload, ...(found.consumed_at && { consumed: Math.floor(found.consumed_at.getTime() / 1000) }) }
  }
}

/** The contacts that a token request has looked at. */
const lookedAt = new WeakMap<object, Map<string, Promise<StoredContact | null>>>()

/**
 * A contact as it is now. A token request looks at it with the code, with its session and for its claims: there it is read once, when it
 * is first asked for. What is issued carries the version of the code, so a contact that moves on meanwhile voids it all the same.
 */
export function contactOnce(
  contacts: ContactStore,
  account_id: string,
  contact_id: string,
): Promise<StoredContact | null> {
  const oidc = Provider.ctx?.oidc
  if (oidc?.route !== 'token') return contacts.get(account_id, contact_id)
  const known = lookedAt.get(oidc) ?? new Map<string, Promise<StoredContact | null>>()
  lookedAt.set(oidc, known)
  const contact = known.get(contact_id) ?? contacts.get(account_id, contact_id)
  known.set(contact_id, contact)
  return contact
}

/** Whether what was issued under a contact's version still holds: no other password since, not blocked, not gone. */
export function isSignedIn(contact: StoredContact | null, version: unknown): contact is StoredContact {
  return contact !== null && !contact.is_blocked && contact.version === version
}

/** The contact's version under which what is being issued right now was signed in: that of the code, token or session it comes from. */
function versionAtHand(): number | undefined {
  const oidc = Provider.ctx?.oidc
  const { AuthorizationCode, RotatedRefreshToken, RefreshToken } = oidc?.entities ?? {}
  // What is just being made stands there too, and has none yet.
  const sources = [AuthorizationCode, RotatedRefreshToken, RefreshToken, oidc?.session] as (
    | { version?: number }
    | undefined
  )[]
  return sources.find((source) => source?.version !== undefined)?.version
}
