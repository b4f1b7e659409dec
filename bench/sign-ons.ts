import { randomBytes } from 'node:crypto'
import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { ObjectId } from 'mongodb'
import type { Provider } from 'oidc-provider'
import { ContactFieldStore } from '../services/sso/api/contact-fields/store.ts'
import { ContactStore } from '../services/sso/api/contacts/store.ts'
import { OauthAppStore } from '../services/sso/api/oauth-apps/store.ts'
import { ArtifactStore } from '../services/sso/oidc/artifacts.ts'
import { ConsentStore } from '../services/sso/oidc/consents.ts'
import { KeyStore } from '../services/sso/oidc/keys.ts'
import { makeProvider } from '../services/sso/oidc/provider.ts'

/*
 * People who are signed in at a site, created through oidc-provider's models: through pages and password hashes it would take most of the
 * bench's time. Ours and the peer's are created alike.
 */

/** How many access tokens or authorization codes to issue. */
type SignOnRequest = { tokens: number } | { codes: number }

/** What a site got. */
export interface Issued {
  tokens: string[]
  codes: string[]
  /** The body of a token request without the code. */
  form: string
}

/** A client of the provider. */
export interface SignOnApp {
  client_id: string
  client_secret: string
  redirect_uri: string
}

/** People of one run, each with a session, so that two simultaneous requests are rarely for the same one. */
export const PEOPLE = 500
/** Concurrent inserts. */
const AT_ONCE = 64
const SESSION_SECONDS = 3_600

/** Signs people in at an app and issues tokens or codes to them in turn. `version` is that of the contacts, if the provider has any. */
export async function issue(
  provider: Provider,
  { client_id, client_secret, redirect_uri }: SignOnApp,
  people: string[],
  scope: string,
  wanted: SignOnRequest,
  version?: number,
): Promise<Issued> {
  const signedIn = await ofEach(people, async (accountId) => {
    const grant = new provider.Grant({ accountId, clientId: client_id })
    grant.addOIDCScope(scope)
    const grantId = await grant.save()
    const now = Math.floor(Date.now() / 1_000)
    const authorizations = { [client_id]: { sid: randomBytes(16).toString('base64url'), grantId } }
    const exp = now + SESSION_SECONDS
    const session = Object.assign(new provider.Session(), { accountId, loginTs: now, exp, authorizations, version })
    await session.persist()
    return {
      accountId,
      clientId: client_id,
      grantId,
      scope,
      sessionUid: session.uid,
      expiresWithSession: true,
      version,
    }
  })
  const of = (n: number): (typeof signedIn)[number] => signedIn[n % signedIn.length] as (typeof signedIn)[number]
  const each = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
    ofEach(Array.from({ length: count }).keys().toArray(), make)
  const tokens =
    'tokens' in wanted ? await each(wanted.tokens, (n) => new provider.AccessToken(of(n) as never).save()) : []
  const codes =
    'codes' in wanted
      ? await each(wanted.codes, (n) =>
          new provider.AuthorizationCode({ ...of(n), redirectUri: redirect_uri } as never).save(),
        )
      : []
  const form = new URLSearchParams({ grant_type: 'authorization_code', client_id, client_secret, redirect_uri })
  return { tokens, codes, form: form.toString() }
}

/** Issues tokens or codes of an account's single sign-on. */
export type SignOns = (wanted: SignOnRequest) => Promise<Issued>

/** An account and its stores. */
export interface SignOnAccount {
  account_id: string
  /** An app of the account. */
  app: SignOnApp
  mongodbUrl: string
  namespace: string
  secretsKey: string
}

/** Creates people of an account, and issues tokens or codes to them. All are stored as the sso service stores them. */
export async function openSignOns({ account_id, app, mongodbUrl, namespace, secretsKey }: SignOnAccount): Promise<{
  issue: SignOns
  close: () => Promise<void>
}> {
  const { db, close } = await openStore(mongodbUrl, namespace, 'sso')
  const encrypter = new Encrypter(secretsKey)
  const contacts = new ContactStore(db)
  const stores = {
    artifacts: new ArtifactStore(db, encrypter),
    consents: new ConsentStore(db),
    contacts,
    fields: new ContactFieldStore(db),
    apps: new OauthAppStore(db),
    consoleUrl: 'http://127.0.0.1:8080/console',
  }
  const page = async (): Promise<void> => makeLog('bench', 'error').error('the bench requested a page')
  const keys = await new KeyStore(db, encrypter).of(account_id)
  const pages = { error: page, signOut: page, signedOut: page }
  const provider = makeProvider(
    { _id: account_id, slug: 'bench' },
    'http://127.0.0.1:8080/sso/bench',
    keys,
    stores,
    pages,
    () => {},
  )
  const now = new Date()
  const people = Array.from({ length: PEOPLE }, () => new ObjectId().toHexString())
  await ofEach(people, (_id) =>
    contacts.insert({
      _id,
      account_id,
      email: `${_id}@example.org`,
      first_name: 'Ada',
      last_name: 'Visitor',
      is_blocked: false,
      password_hash: null,
      values: {},
      created_at: now,
      updated_at: now,
    }),
  )
  return { issue: (wanted) => issue(provider, app, people, 'public', wanted, 0), close }
}

function ofEach<T, R>(all: T[], make: (one: T) => Promise<R>): Promise<R[]> {
  return inChunks(all, (some) => Promise.all(some.map(make)), { size: () => AT_ONCE, concurrency: 1 })
}
