import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { ContactFieldStore } from '../contact-fields/store.ts'
import { ownFields } from '../contacts/own-fields.ts'
import type { ContactStore } from '../contacts/store.ts'
import type { OauthAppStore } from '../oauth-apps/store.ts'

/** `GET /api/v1/me`: the contact of an access token, with the account's contact fields beside the fixed ones. 401 otherwise. */
export async function answerMe(
  ctx: KoaContextWithOIDC,
  provider: Provider,
  account_id: string,
  { contacts, fields, apps }: { contacts: ContactStore; fields: ContactFieldStore; apps: OauthAppStore },
): Promise<void> {
  ctx.set('cache-control', 'no-store')
  const { authorization } = ctx.headers
  const token = /^Bearer +([\w-]{1,200})$/i.exec(authorization ?? '')?.[1]
  const accessToken = token ? await provider.AccessToken.find(token) : undefined
  const scopes = accessToken?.scope?.split(' ') ?? []
  const isGood = accessToken?.isValid === true && scopes.includes('public')
  // A signed-out, changed or blocked contact's token is not found any more (adapter.ts).
  const [contact, declared, app] = isGood
    ? await Promise.all([
        contacts.get(account_id, accessToken.accountId),
        fields.ofAccount(account_id),
        apps.findByClientId(account_id, String(accessToken.clientId)),
      ])
    : [null, [], null]
  if (!contact || !app) {
    const error = authorization === undefined ? '' : ', error="invalid_token"'
    ctx.status = 401
    ctx.set('www-authenticate', `Bearer realm="${provider.issuer}"${error}`)
    ctx.body = { error: 'The access token is missing or not valid' }
    return
  }
  const { _id, email, first_name, last_name } = contact
  ctx.body = { ...ownFields(contact, declared), id: _id, email, first_name, last_name }
}
