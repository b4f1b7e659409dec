import { Fault, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { isObject, parseJson } from '@gatehouse/proto/formats/json-reader.ts'
import type { WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import { json } from '../console/answers.ts'
import type { SignedInStaff } from '../console/identify.ts'
import type { ConsoleParts } from '../console/parts.ts'
import type { UnplacedRequest } from '../oidc/account-request.ts'
import { readName } from './passkeys.ts'
import type { StoredPasskey } from './store.ts'

/** Who signed in longer ago may not make a passkey: a session which was left open would become a sign-in for ever. */
const FRESH_MS = 10 * 60_000
const NOT_FRESH = { error: 'You signed in more than ten minutes ago: sign in again first' }
const OWN = /^\/console\/passkeys\/([\w-]{1,1400})$/

/** Answers `/console/passkeys/…` for who is signed in: the own passkeys, and making, renaming and deleting them. */
export async function answerPasskeys(
  { passkeys, passkeyStore, audit }: ConsoleParts,
  { method, path, headers, body, address }: UnplacedRequest,
  { session, contact }: SignedInStaff,
  account: StoredAccount,
): Promise<WebResponse> {
  if (passkeys.obstacle !== undefined) return json(409, { error: passkeys.obstacle })
  const record = (kind: 'passkey_created' | 'passkey_renamed' | 'passkey_deleted') =>
    audit.record({ account_id: account._id, kind, contact_id: contact._id, address })
  const boundTo = `console:${session._id}`
  const isFresh = Date.now() - session.signed_in_at.getTime() < FRESH_MS

  async function register(): Promise<WebResponse> {
    const made = await passkeys.register(contact, readObject(headers, body), boundTo)
    await record('passkey_created')
    return json(201, shown(made))
  }

  async function changeOwn(id: string): Promise<WebResponse> {
    const isRenamed = method === 'PUT'
    const isDone = isRenamed
      ? await passkeyStore.rename(contact, id, readName(readObject(headers, body)))
      : await passkeyStore.delete(account._id, contact._id, id)
    if (!isDone) throw notFound()
    await record(isRenamed ? 'passkey_renamed' : 'passkey_deleted')
    return { status: 204, headers: [{ name: 'cache-control', value: 'no-store' }], body: null }
  }

  if (method === 'POST' && !isFresh) return json(403, NOT_FRESH)
  try {
    switch (`${method} ${path}`) {
      case 'GET /console/passkeys/list.json':
        return json(200, (await passkeyStore.ofContact(contact)).map(shown))
      case 'POST /console/passkeys/options.json':
        return json(200, await passkeys.registration(contact, account.name || account.slug, boundTo))
      case 'POST /console/passkeys/register.json':
        return await register()
      default: {
        const [, id] = OWN.exec(path) ?? []
        if (id === undefined || !(method === 'PUT' || method === 'DELETE')) throw notFound()
        return await changeOwn(id)
      }
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'unavailable') throw error
    return json(error.status, error.errors ? { errors: error.errors } : { error: error.message })
  }
}

function readObject(headers: Record<string, string>, body: string): Record<string, unknown> {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) throw new Fault('unsupported')
  const given = parseJson(Buffer.from(body))
  if (!isObject(given)) throw new Fault('malformed')
  return given
}

function shown({ credential_id, name, created_at, last_used_at }: Omit<StoredPasskey, '_id'>) {
  return { _id: credential_id, name, created_at, last_used_at }
}
