import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { ContactStore } from '../api/contacts/store.ts'
import type { FoundArtifact } from './artifact-documents.ts'
import type { ArtifactStore } from './artifacts.ts'
import { errors, Provider } from './library.ts'
import { Sessions } from './sessions.ts'
import { contactOnce, isSignedIn, signedInModels, versionAtHand } from './signed-in.ts'
import { claimFor } from './single-use.ts'

/** The models that end with their grant. */
const givenModels = ['AccessToken', 'RefreshToken', 'AuthorizationCode'] as const

/** How long a browser may repeat a completed step of a sign-in, in seconds: its answer may have been lost. */
const ASK_AGAIN_SECONDS = 60

/** The contact and app of a revoked grant or token. */
export interface Revoked {
  contact_id?: string | null | undefined
  client_id?: string | null | undefined
}

/** oidc-provider's store of one of its models, for one account. */
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
    const session = await this.#artifacts.sessions.find(this.#accountId, id)
    return session && this.#valid({ ...session, payload: Sessions.loaded(session) })
  }

  /** Only sessions have a uid. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const session = await this.#artifacts.sessions.findByUid(this.#accountId, uid)
    return session && this.#valid({ ...session, payload: Sessions.loaded(session) })
  }

  /** For the device flow, which is not offered. */
  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  async consume(id: string): Promise<void> {
    const request = Provider.ctx?.oidc ?? {}
    if (await claimFor(request, this.#artifacts, this.#accountId, this.#kind, id)) return
    // Two concurrent requests both find it unused, and oidc-provider revokes only what it finds used.
    const found = await this.#artifacts.find(this.#accountId, this.#kind, id)
    if (found?.payload.grantId) await this.#endGrant(String(found.payload.grantId))
    throw new errors.InvalidGrant('already used')
  }

  async destroy(id: string): Promise<void> {
    if (this.#kind === 'Grant') return this.#endGrant(id)
    // oidc-provider ends an interaction before it stores the result. A process that is killed in between must not lose the sign-in.
    if (this.#kind === 'Interaction') return this.#artifacts.endIn(this.#accountId, this.#kind, id, ASK_AGAIN_SECONDS)
    if (this.#kind !== 'Session') return this.#artifacts.delete(this.#accountId, this.#kind, id)
    // A session that gets another id is stored under that id next.
    const atHand = Provider.ctx?.oidc?.session as { jti?: string; oldId?: string } | undefined
    const isRenamed = atHand?.oldId === id && atHand.jti !== id
    if (!isRenamed) await this.#artifacts.sessions.delete(this.#accountId, id)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#artifacts.deleteOfGrant(this.#accountId, this.#kind, grantId)
  }

  /** The first step makes everything under the grant void; the others delete it. */
  async #endGrant(grantId: string): Promise<void> {
    const ended = await this.#artifacts.endGrant(this.#accountId, grantId)
    if (ended) this.#revoked(ended)
    for (const kind of givenModels) await this.#artifacts.deleteOfGrant(this.#accountId, kind, grantId)
  }

  /** The payload of a found artifact, unless its contact has a new password, is blocked or is deleted. */
  async #valid(found: FoundArtifact | undefined): Promise<AdapterPayload | undefined> {
    if (!found) return undefined
    const payload = found.payload as AdapterPayload
    if (this.#isSignedIn && payload.accountId) {
      const contact = await contactOnce(this.#contacts, this.#accountId, payload.accountId)
      if (!isSignedIn(contact, payload.version)) return undefined
    }
    return { ...payload, ...(found.consumed_at && { consumed: Math.floor(found.consumed_at.getTime() / 1000) }) }
  }
}
