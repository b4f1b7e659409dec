import { Fault, notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { ConsoleHandlers } from '../console/actions.ts'
import type { Asking, ConsoleDependencies } from '../console/dependencies.ts'
import type { StoredPasskey } from './store.ts'

/** Who signed in longer ago may not make a passkey: a session that was left open would become a sign-in for ever. */
const FRESH_MS = 10 * 60_000

/** Throws `conflict` where browsers offer no passkeys, and `forbidden` for who would make one and signed in too long ago. */
export function checkPasskeys(
  { passkeys: { obstacle } }: ConsoleDependencies,
  { signedIn }: Asking,
  method: string,
): void {
  if (obstacle !== undefined) throw new Fault('conflict', obstacle)
  if (method === 'POST' && Date.now() - signedIn.session.signed_in_at.getTime() >= FRESH_MS)
    throw new Fault('forbidden', 'You signed in more than ten minutes ago: sign in again first')
}

/** The handlers of who is signed in for the own passkeys. */
export function passkeyHandlers(
  { passkeys, passkeyStore, audit }: ConsoleDependencies,
  { signedIn: { session, contact }, account, address }: Asking,
): Omit<ConsoleHandlers, 'session'> {
  const boundTo = `console:${session._id}`
  const record = (kind: 'passkey_created' | 'passkey_renamed' | 'passkey_deleted') =>
    audit.record({ account_id: account._id, kind, contact_id: contact._id, address })

  return {
    async passkeys() {
      return (await passkeyStore.ofContact(contact)).map(shown)
    },
    async passkeyOptions() {
      return passkeys.registration(contact, account.name || account.slug, boundTo)
    },
    async createPasskey({ body }) {
      const made = await passkeys.register(contact, body, boundTo)
      await record('passkey_created')
      return shown(made)
    },
    async renamePasskey({ params: { id }, body: { name } }) {
      if (!(await passkeyStore.rename(contact, id, name))) throw notFound()
      await record('passkey_renamed')
    },
    async deletePasskey({ params: { id } }) {
      if (!(await passkeyStore.delete(account._id, contact._id, id))) throw notFound()
      await record('passkey_deleted')
    },
  }
}

function shown({ credential_id, name, created_at, last_used_at }: Omit<StoredPasskey, '_id'>) {
  return { _id: credential_id, name, created_at, last_used_at }
}
