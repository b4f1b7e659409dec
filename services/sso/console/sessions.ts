import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { hashOfToken } from '@gatehouse/proto/storage/tokens.ts'
import type { AccountStore } from '../api/accounts/store.ts'
import type { AuditStore } from '../api/audit/store.ts'
import type { StoredContact } from '../api/contacts/store.ts'
import type { StoredMember } from '../api/staff-members/store.ts'
import type { Issuers } from '../issuers.ts'
import type { ArtifactStore } from '../oidc/artifacts.ts'
import { sessionCookiePrefix } from '../oidc/session-cookie.ts'
import * as topics from '../topics.ts'
import { redirect } from './answers.ts'
import type { ConsoleCookies } from './cookies.ts'
import { type IdentifyingDependencies, type SignedInStaff, staffAt } from './identify.ts'
import { cookieIn } from './resource.ts'
import type { ConsoleSession } from './session-store.ts'

interface SessionDependencies extends IdentifyingDependencies {
  accounts: AccountStore
  artifacts: ArtifactStore
  audit: AuditStore
  cookies: ConsoleCookies
  issuers: Issuers
  bus: Bus
}

/** Who begins a session, and how. */
export interface Beginner {
  account_id: string
  member: StoredMember
  contact: Pick<StoredContact, '_id' | 'version'>
  sso_session_uid?: string
  signed_in_at: Date
}

/** Begins and ends the sessions of browsers. */
export class ConsoleSessions {
  readonly #dependencies: SessionDependencies

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies
  }

  /** Who is at the session of a request, which counts as used unless the request `onlyLooks`; undefined without a session. */
  async at(cookie: string | undefined, onlyLooks = false): Promise<SignedInStaff | undefined> {
    const id = this.#dependencies.cookies.session(cookie)
    const hash = id && hashOfToken(id)
    return hash ? (await staffAt(this.#dependencies, [hash], onlyLooks)).get(hash) : undefined
  }

  /** Begins a session with a new id, in the place of one that the browser has, and leads on to a path of the console. */
  async begin(
    { account_id, member, contact, sso_session_uid, signed_in_at }: Beginner,
    cookie: string | undefined,
    to: string,
  ): Promise<WebResponse> {
    const { sessionStore, staff, cookies, issuers } = this.#dependencies
    await this.#end(cookie)
    const ids = { account_id, staff_member_id: member._id, contact_id: contact._id, version: contact.version }
    const id = await sessionStore.begin({ ...ids, signed_in_at, ...(sso_session_uid && { sso_session_uid }) })
    await staff.noteSignIn(account_id, member._id)
    return redirect(issuers.base + to, cookies.setSession(id), cookies.endSignIn())
  }

  /** Ends the browser's session, that of single sign-on by which it began, and the one that the browser has now: after a link it may be someone else's. */
  async signOut(cookie: string | undefined, accept: string | undefined, address: string): Promise<WebResponse> {
    const { accounts, artifacts, audit, cookies, issuers } = this.#dependencies
    const ended = await this.#end(cookie)
    if (ended) {
      const { account_id, contact_id, sso_session_uid } = ended
      if (sso_session_uid) await artifacts.sessions.deleteByUid(account_id, sso_session_uid)
      const account = await accounts.get(account_id)
      const id = account && cookieIn(cookie, `${sessionCookiePrefix(issuers.isSecure)}${account.slug}`)
      if (id) await artifacts.sessions.delete(account_id, id)
      await audit.record({ account_id, kind: 'sign_out', contact_id, address })
    }
    if (accept?.includes('text/html')) return redirect(`${issuers.console}/`, cookies.endSession())
    const headers = [
      { name: 'set-cookie', value: cookies.endSession() },
      { name: 'cache-control', value: 'no-store' },
    ]
    return { status: 204, headers, body: null }
  }

  /** Ends the browser's session, if it has one. Without one nothing is announced: anyone may ask, and an announcement makes gateways forget all tokens. */
  async #end(cookie: string | undefined): Promise<ConsoleSession | null> {
    const { sessionStore, cookies, bus } = this.#dependencies
    const id = cookies.session(cookie)
    if (id === undefined || !(await sessionStore.has(id))) return null
    return bus.announcing(topics.tokens, 'revoked', sessionStore.end(id))
  }
}
