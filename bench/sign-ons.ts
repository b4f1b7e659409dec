import { randomBytes } from 'node:crypto'
import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { succeeded } from '@gatehouse/test/harness/call.ts'
import { SECRETS_KEY } from '@gatehouse/test/harness/secrets-key.ts'
import type { Provider } from 'oidc-provider'
import { ContactFieldStore } from '../services/sso/api/contact-fields/store.ts'
import { ContactStore } from '../services/sso/api/contacts/store.ts'
import { OauthAppStore } from '../services/sso/api/oauth-apps/store.ts'
import { ArtifactStore } from '../services/sso/oidc/artifacts.ts'
import { ConsentStore } from '../services/sso/oidc/consents.ts'
import { KeyStore } from '../services/sso/oidc/keys.ts'
import { makeProvider } from '../services/sso/oidc/provider.ts'
import { newId } from './documents.ts'
import type { Environment } from './environment.ts'

/*
 * People who are signed in at a site, created through oidc-provider's models: through pages and password hashes it would take most of the bench's
 * time. Ours and the peer's are created alike.
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
    const { uid: sessionUid } = session
    return { accountId, clientId: client_id, grantId, scope, sessionUid, expiresWithSession: true, version }
  })
  const each = (count: number, save: (person: object) => Promise<string>): Promise<string[]> =>
    ofEach(Array.from({ length: count }).keys().toArray(), (n) => save(signedIn[n % signedIn.length] as object))
  const token = (person: object) => new provider.AccessToken(person as never).save()
  const code = (person: object) =>
    new provider.AuthorizationCode({ ...person, redirectUri: redirect_uri } as never).save()
  const form = new URLSearchParams({ grant_type: 'authorization_code', client_id, client_secret, redirect_uri })
  return {
    tokens: 'tokens' in wanted ? await each(wanted.tokens, token) : [],
    codes: 'codes' in wanted ? await each(wanted.codes, code) : [],
    form: form.toString(),
  }
}

let issuer: ReturnType<typeof openIssuer> | undefined

/** Issues tokens or codes of the system's account. */
export async function issueForSystem(environment: Environment, wanted: SignOnRequest): Promise<Issued> {
  issuer ??= openIssuer(environment)
  return (await issuer)(wanted)
}

/** Creates an app and people of the account, stored as the sso service stores them. */
async function openIssuer({ system, api }: Environment): Promise<(wanted: SignOnRequest) => Promise<Issued>> {
  const redirect_uri = 'https://hub.example/callback'
  const made = await succeeded(api('POST', 'oauth_apps.json', { name: 'Hub', redirect_uris: [redirect_uri] }))
  const app: SignOnApp = { ...made, redirect_uri }
  const { account_id, slug, mongodbUrl, namespace } = system
  const { db } = await openStore(mongodbUrl, namespace, 'sso')
  const encrypter = new Encrypter(SECRETS_KEY)
  const contacts = new ContactStore(db)
  const stores = {
    artifacts: new ArtifactStore(db, encrypter),
    consents: new ConsentStore(db),
    contacts,
    fields: new ContactFieldStore(db),
    apps: new OauthAppStore(db),
    consoleUrl: 'http://127.0.0.1:8080/console',
  }
  const page = async (): Promise<void> => console.error('the bench requested a page')
  const keys = await new KeyStore(db, encrypter).of(account_id)
  const pages = { error: page, signOut: page, signedOut: page }
  const url = `http://127.0.0.1:8080/sso/${slug}`
  const provider = makeProvider({ _id: account_id, slug }, url, keys, stores, pages, () => {})
  const now = new Date()
  const people = Array.from({ length: PEOPLE }, newId)
  const person = { account_id, first_name: 'Ada', last_name: 'Visitor', is_blocked: false, password_hash: null }
  const dates = { created_at: now, updated_at: now }
  await ofEach(people, (_id) => contacts.insert({ _id, ...person, email: `${_id}@example.org`, values: {}, ...dates }))
  return (wanted) => issue(provider, app, people, 'public', wanted, 0)
}

function ofEach<T, R>(all: T[], make: (one: T) => Promise<R>): Promise<R[]> {
  return inChunks(all, (some) => Promise.all(some.map(make)), { size: () => AT_ONCE, concurrency: 1 })
}
