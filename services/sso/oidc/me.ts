import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { ownFields } from '../api/contacts/own-fields.ts'
import type { StoredContact } from '../api/contacts/store.ts'
import { ONE_READ_AT_A_TIME } from '../coalesced-reads.ts'
import { bearerOf } from './access-tokens.ts'
import type { ProviderStores } from './provider.ts'
import { isSignedIn } from './signed-in.ts'
import type { TokenAnswerCache, TokenContact } from './token-answers.ts'

/** The stores that identify the contact of a token. */
type MeDependencies = Pick<ProviderStores, 'artifacts' | 'contacts' | 'fields' | 'apps'>

/** The fields of an access token that are checked. */
interface AccessToken {
  accountId: string
  clientId: string
  grantId: string
  scope?: string
  version?: number
  /** Seconds since 1970. */
  exp: number
  /** Whether it ends with its session. */
  expiresWithSession?: boolean
  sessionUid?: string
}

/** The fields of a session that are checked. */
interface SessionFields {
  accountId?: string
  version?: number
  exp: number
  authorizations?: Record<string, { grantId?: string }>
}

/** Whether a request asks for the contact of an access token. */
export function isMe(method: string, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && (path === '/api/v1/me' || path === '/api/v1/me.json')
}

/**
 * Answers `GET /api/v1/me`: with the contact of an access token and the account's contact fields, or with 401. Sites request it for each of their
 * pages, so it bypasses oidc-provider, with the same rules for tokens (docs/adr/0011).
 */
export class MeEndpoint {
  readonly #answers: TokenAnswerCache
  /** Concurrent lookups share queries. */
  readonly #lookUp

  constructor(dependencies: MeDependencies, answers: TokenAnswerCache) {
    this.#answers = answers
    this.#lookUp = coalesced(
      (tokens: { account_id: string; value: string }[]) =>
        Promise.allSettled(tokens.map(({ account_id, value }) => contactOf(account_id, value, dependencies))),
      ONE_READ_AT_A_TIME,
    )
  }

  async answer(account_id: string, issuer: string, authorization: string | undefined): Promise<HtmlPage> {
    const value = bearerOf(authorization)
    const shown = value && (await this.#shownOf(account_id, value))
    if (shown) return { status: 200, headers: HEADERS, body: JSON.stringify(shown) }
    const error = authorization === undefined ? '' : ', error="invalid_token"'
    return {
      status: 401,
      headers: { ...HEADERS, 'www-authenticate': `Bearer realm="${issuer}"${error}` },
      body: JSON.stringify({ error: 'The access token is missing or not valid' }),
    }
  }

  async #shownOf(account_id: string, value: string): Promise<object | undefined> {
    const known = this.#answers.get(account_id, value)
    if (known) return known
    const readAt = this.#answers.version
    const outcome = await this.#lookUp({ account_id, value })
    if (outcome.status === 'rejected') throw outcome.reason
    if (outcome.value) this.#answers.set(account_id, value, outcome.value, readAt)
    return outcome.value?.shown
  }
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** The contact of an access token; undefined if the token is not valid. */
async function contactOf(
  account_id: string,
  value: string,
  { artifacts, contacts, fields, apps }: MeDependencies,
): Promise<TokenContact | undefined> {
  const token = (await artifacts.find(account_id, 'AccessToken', value))?.payload as AccessToken | undefined
  if (!token || !isInTime(token) || !token.scope?.split(' ').includes('public')) return undefined
  const [contact, hasGrant, session, app, declared] = await Promise.all([
    contacts.get(account_id, token.accountId),
    artifacts.hasGrant(account_id, token.grantId),
    token.expiresWithSession ? artifacts.sessions.findByUid(account_id, String(token.sessionUid)) : undefined,
    apps.findByClientId(account_id, token.clientId),
    fields.ofAccount(account_id),
  ])
  if (!app || !hasGrant || !isSignedIn(contact, token.version)) return undefined
  const bound = session?.payload as SessionFields | undefined
  if (token.expiresWithSession && !isBoundTo(bound, token, contact)) return undefined
  const { _id, email, first_name, last_name } = contact
  const shown = { ...ownFields(contact, declared), id: _id, email, first_name, last_name }
  return { contact_id: _id, shown, exp: Math.min(token.exp, bound?.exp ?? token.exp) }
}

/** Whether a session still holds a token's grant: it has not expired, has the same contact, and the app has no newer grant in it. */
function isBoundTo(session: SessionFields | undefined, token: AccessToken, contact: StoredContact): boolean {
  if (!session || !isInTime(session) || !isSignedIn(contact, session.version)) return false
  return session.accountId === contact._id && session.authorizations?.[token.clientId]?.grantId === token.grantId
}

function isInTime({ exp }: { exp: number }): boolean {
  return exp > Date.now() / 1000
}
