import { hash } from 'node:crypto'
import { isObject } from '@gatehouse/proto/formats/json-reader.ts'
import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { isSameSecret, newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import { hasJoined } from '../api/staff-members/store.ts'
import type { Issuers } from '../issuers.ts'
import type { UnplacedRequest } from '../oidc/account-request.ts'
import { CONSOLE_CLIENT_ID, CONSOLE_SCOPES, consoleCallback, consoleSecret } from '../oidc/console-client.ts'
import { routes } from '../oidc/endpoints.ts'
import { isSignedIn } from '../oidc/signed-in.ts'
import { SIGN_OUT } from '../sign-in/sign-out.ts'
import { redirect } from './answers.ts'
import type { BegunSignIn, ConsoleCookies } from './cookies.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { accountPage, type BrandingOf, expiredPage, noRolePage } from './pages.ts'

/** How long the browser may take from the provider to the callback. */
const REDIRECT_SECONDS = 60

/** What an access token says of who signed in. */
interface Granted {
  accountId: string
  version?: number
  sessionUid?: string
}

type SignedIn = Granted & { at: Date }

/**
 * Begins a sign-in at the single sign-on of an account: an authorization with PKCE, whose state this browser alone has. With `again` the person has
 * to sign in now.
 */
export async function beginSignIn(
  dependencies: ConsoleDependencies,
  { query }: UnplacedRequest,
  brandingOf: BrandingOf,
): Promise<WebResponse> {
  const { accounts, sessionStore, cookies, issuers } = dependencies
  const slug = query.get('account')
  const account = slug ? await accounts.find(slug) : await accounts.only()
  const to = ownPath(issuers, query.get('to'))
  if (!account) return toAnswer(accountPage(brandingOf(), issuers.console, { to, slug: slug ?? '' }))
  const begun = { account: account.slug, state: newToken(), verifier: newToken(), to }
  const params = new URLSearchParams({
    client_id: CONSOLE_CLIENT_ID,
    redirect_uri: consoleCallback(issuers.console),
    response_type: 'code',
    scope: CONSOLE_SCOPES.join(' '),
    state: begun.state,
    code_challenge: hash('sha256', begun.verifier, 'base64url'),
    code_challenge_method: 'S256',
    max_age: query.has('again') ? '0' : String(sessionStore.signInSeconds),
  })
  return redirect(`${issuers.below(account)}${routes.authorization}?${params}`, cookies.setSignIn(begun))
}

/** Ends a sign-in: exchanges the code, and begins a session if the contact is staff. */
export async function completeSignIn(
  dependencies: ConsoleDependencies,
  request: UnplacedRequest,
  brandingOf: BrandingOf,
): Promise<WebResponse> {
  const { accounts, contacts, staff, sessions, cookies, issuers } = dependencies
  const { query, headers } = request
  const begun = cookies.signIn(headers.cookie)
  const isOwn = begun !== undefined && isSameSecret(query.get('state') ?? '', begun.state)
  const account = isOwn ? await accounts.find(begun.account) : null
  const granted = begun && account && (await exchanged(dependencies, account, begun, request))
  if (!granted) return ending(toAnswer(expiredPage(brandingOf(account), issuers.console)), cookies)
  const contact = await contacts.get(account._id, granted.accountId)
  const member = contact && (await staff.ofContact(account._id, contact._id))
  if (!member || !hasJoined(member) || !isSignedIn(contact, granted.version)) {
    const home = `${issuers.console}/`
    const signOut = `${issuers.below(account)}${SIGN_OUT}?${new URLSearchParams({ redirect_uri: home })}`
    const isInvited = member !== null && !hasJoined(member)
    return ending(toAnswer(noRolePage(brandingOf(account), contact?.email ?? '', isInvited, signOut)), cookies)
  }
  const { sessionUid, at: signed_in_at } = granted
  const ids = { account_id: account._id, ...(sessionUid && { sso_session_uid: sessionUid }) }
  const beginner = { ...ids, member, contact, signed_in_at }
  return sessions.begin(beginner, headers.cookie, ownPath(issuers, begun.to))
}

/**
 * Exchanges the code of a callback at the account's provider, which knows it once. Undefined if it is not valid there, or the person signed in too
 * long ago: whoever is at the browser may have taken `max_age` away.
 */
async function exchanged(
  { artifacts, keys, exchange, sessionStore, issuers }: ConsoleDependencies,
  account: StoredAccount,
  { verifier }: BegunSignIn,
  { query, address }: UnplacedRequest,
): Promise<SignedIn | undefined> {
  const code = query.get('code')
  if (!code) return undefined
  const { cookies } = await keys.of(account._id)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: consoleCallback(issuers.console),
    code_verifier: verifier,
    client_id: CONSOLE_CLIENT_ID,
    client_secret: consoleSecret(cookies),
  }).toString()
  const answer = await exchange.answerOwn(
    { account, issuer: issuers.below(account) },
    {
      ...{ method: 'POST', path: routes.token, query: new URLSearchParams(), body, address },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  )
  const given: unknown = answer.status === 200 ? JSON.parse(answer.body ?? '') : undefined
  if (!isObject(given)) return undefined
  const token = String(given.access_token)
  const found = await artifacts.find(account._id, 'AccessToken', token)
  // It has said who signed in, and nobody else shall use it.
  await artifacts.delete(account._id, 'AccessToken', token)
  const granted = found?.payload as Granted | undefined
  const session = granted?.sessionUid && (await artifacts.sessions.findByUid(account._id, granted.sessionUid))
  const since = session ? Number(session.payload.loginTs) : 0
  const isRecent = Date.now() / 1000 - since <= sessionStore.signInSeconds + REDIRECT_SECONDS
  return granted && isRecent ? { ...granted, at: new Date(since * 1000) } : undefined
}

/** A path below `/console/`, if this is one; otherwise that of the console. */
function ownPath({ base }: Issuers, given: string | null): string {
  const { origin } = new URL(base)
  const target = given?.startsWith('/') ? URL.parse(given, origin) : null
  const isOwn = target?.origin === origin && target.pathname.startsWith('/console/')
  return isOwn ? target.pathname + target.search + target.hash : '/console/'
}

/** An answer after which the sign-in cannot be ended again. */
function ending(answer: WebResponse, cookies: ConsoleCookies): WebResponse {
  return { ...answer, headers: [...answer.headers, { name: 'set-cookie', value: cookies.endSignIn() }] }
}
