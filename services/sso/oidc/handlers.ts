import type { Handlers } from '@gatehouse/proto/resource.ts'
import { inject } from 'light-my-request'
import { LRUCache } from 'lru-cache'
import type { Account } from '../accounts/store.ts'
import { LOOPBACK } from '../oauth-apps/redirect-uris.ts'
import type { KeyStore } from './keys.ts'
import { isMe, meAnswerer } from './me.ts'
import type { Page } from './pages/layout.ts'
import { errorPage, tooManyPage } from './pages/pages.ts'
import { routes } from './provider.ts'
import { isForMachines, lookOf, Realm, type RealmRequest, type SsoParts } from './realm.ts'
import type { oidc, WebRequest, WebResponse } from './resource.ts'
import type { Said } from './said.ts'
import { TooMany } from './throttle.ts'

/** Accounts whose providers are kept ready. */
const MOST_REALMS = 500
/** How often it is looked whether an account's keys are still those. New ones are announced for longer before they sign. */
const CHECK_MS = 60_000

/** Passwords and codes go over no open line, whoever listens. All else that the service does needs no HTTPS, so that it starts. */
const NEEDS_HTTPS = 'PUBLIC_URL must begin with https:// for single sign-on, unless it is this very machine'

/** What belongs to a connection and not to an answer. */
const DROPPED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** Answers requests to `<public_url>/sso/<slug>`. Providers are made when first asked for; what they know is in the store. */
export function oidcHandlers(parts: SsoParts, said: Said, keys: KeyStore, public_url: string): Handlers<typeof oidc> {
  const base = public_url.replace(/\/+$/, '')
  const { host, hostname, protocol } = new URL(base)
  const isHttp = protocol === 'http:'
  const isOpenToAll = isHttp && !LOOPBACK.has(hostname)
  if (isOpenToAll) parts.log.warn(NEEDS_HTTPS)
  const realms = new LRUCache<string, { realm: Realm; checked: number }>({ max: MOST_REALMS })
  const accounts = new LRUCache<string, Account>({ max: MOST_REALMS })
  const making = new Map<string, Promise<Realm>>()

  const answerMe = meAnswerer(parts, said)

  /** Whose request it is. Where only that counts, not how its pages look, it need not be read again: a slug stays its account's. */
  async function accountOf(slug: string, isForPeople: boolean): Promise<Account | null> {
    const known = isForPeople ? undefined : accounts.get(slug)
    const account = known ?? (await parts.accounts.find(slug))
    if (account && account !== known) accounts.set(slug, account)
    return account
  }

  function issuerOf({ slug }: Account): string {
    return `${base}/sso/${slug}`
  }

  async function realmOf(account: Account): Promise<Realm> {
    const kept = realms.get(account._id)
    if (kept && Date.now() - kept.checked < CHECK_MS) return kept.realm
    // Whoever asks meanwhile gets the same one: a key is dear to make.
    const asking = making.get(account._id) ?? makeRealm(account).finally(() => making.delete(account._id))
    making.set(account._id, asking)
    return asking
  }

  async function makeRealm(account: Account): Promise<Realm> {
    const current = await keys.of(account._id)
    const kept = realms.get(account._id)?.realm
    const realm = kept?.version === current.version ? kept : new Realm(account._id, issuerOf(account), current, parts)
    realms.set(account._id, { realm, checked: Date.now() })
    return realm
  }

  return {
    async handle({ body }) {
      // The gateway may be reached from other machines too.
      const isRefused = isOpenToAll || (isHttp && !isLocal(body.address))
      const path = pathOf(body.url)
      const asksMe = isMe(body.method, path)
      const account = await accountOf(body.slug, !asksMe && path !== routes.token)
      if (account && asksMe && !isRefused) {
        const authorization = body.headers.find(({ name }) => name === 'authorization')?.value ?? undefined
        return toAnswer(await answerMe({ account_id: account._id, issuer: issuerOf(account), authorization }))
      }
      const request = readRequest(body, path, account ?? NOBODY)
      if (!account) return toAnswer(errorPage(lookOf(request), 404, 'error_nothing'))
      if (isRefused) return toAnswer(errorPage(lookOf(request), 503, 'error_later', NEEDS_HTTPS))
      const realm = await realmOf(account)
      try {
        return await answer(realm, request, body.method)
      } catch (error) {
        if (!(error instanceof TooMany)) throw error
        return isForMachines(request.path)
          ? tooManyAnswer(error)
          : toAnswer(tooManyPage(lookOf(request), error.seconds))
      }
    },
  }

  /** oidc-provider is made for Node's HTTP server: here it gets the same objects without a socket. */
  async function answer(realm: Realm, request: RealmRequest, method: string): Promise<WebResponse> {
    const passed = await realm.prepare(request)
    const { statusCode, headers, payload } = await inject((req, res) => realm.handle(req, res, request, passed.url), {
      method,
      url: passed.url,
      headers: { ...passed.headers, host, 'x-forwarded-proto': protocol.slice(0, -1) },
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

/** Whether a network address is this very machine's. */
function isLocal(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/** The account of an address that is nobody's, for the look of its page. */
const NOBODY: Account = { _id: '', slug: 'Gatehouse', created_at: new Date(0) }

function pathOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}

function readRequest(
  { method, url, headers, body, address }: WebRequest,
  path: string,
  account: Account,
): RealmRequest {
  return {
    account,
    method,
    path,
    query: new URLSearchParams(url.slice(path.length)),
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value ?? ''])),
    body: body ?? '',
    address,
  }
}

function toAnswer({ status, headers, body }: Page): WebResponse {
  return { status, headers: Object.entries(headers).map(([name, value]) => ({ name, value })), body }
}

function tooManyAnswer({ seconds }: TooMany): WebResponse {
  const body = JSON.stringify({ error: 'temporarily_unavailable', error_description: 'too many requests' })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': String(seconds),
  }
  return toAnswer({ status: 429, headers, body })
}
