import { createServer } from 'node:http'
import { listen } from '@gatehouse/test/harness/listening.ts'
import { type AdapterConstructor, Provider } from 'oidc-provider'
import { issue, PEOPLE, type SignOnApp } from '../sign-ons.ts'
import { ready } from './ready.ts'

/*
 * Stock oidc-provider with its in-memory adapter: one process, no gateway, no bus, no database. The adapter's store evicts all but the last
 * thousand entries; it is replaced by one without eviction, because the bench prepares more.
 */

const app: SignOnApp = {
  client_id: 'hub',
  client_secret: 'a secret that is certainly long enough',
  redirect_uri: 'https://hub.example/callback',
}
const adapterFile = 'oidc-provider/lib/adapters/memory_adapter.js'
const { default: MemoryAdapter } = (await import(adapterFile)) as {
  default: new (model: string, store: Map<string, unknown>) => InstanceType<AdapterConstructor>
}
const store = new Map<string, unknown>()

const provider = new Provider('http://127.0.0.1', {
  adapter: (model) => new MemoryAdapter(model, store),
  clients: [
    {
      client_id: app.client_id,
      client_secret: app.client_secret,
      redirect_uris: [app.redirect_uri],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  scopes: ['openid', 'profile', 'email', 'public'],
  claims: { openid: ['sub'], profile: ['given_name', 'family_name'], email: ['email'] },
  features: { devInteractions: { enabled: false } },
  findAccount: (_ctx, sub) => ({
    accountId: sub,
    claims: () => ({ sub, email: `${sub}@example.org`, given_name: 'Ada', family_name: 'Visitor' }),
  }),
})
const people = Array.from({ length: PEOPLE }, (_, n) => `person-${n}`)
const answer = provider.callback()

const server = createServer((request, response) => {
  if (!request.url?.startsWith('/bench/')) return void answer(request, response)
  const [, , what, count] = request.url.split('/')
  const issuing =
    what === 'codes'
      ? // Like ours: without a scope which requires a signed ID token.
        issue(provider, app, people, 'public', { codes: Number(count) })
      : issue(provider, app, people, 'openid profile email', { tokens: Number(count) })
  issuing.then(
    (issued) => response.end(JSON.stringify(issued)),
    (error: Error) => response.writeHead(500).end(error.stack),
  )
})
const { host } = await listen(server)
ready(`http://${host}`)
