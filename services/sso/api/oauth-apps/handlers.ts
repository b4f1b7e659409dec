import { randomBytes } from 'node:crypto'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import { found, heldList, newTimes, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import * as topics from '../../topics.ts'
import { redirectProblem } from './redirect-uris.ts'
import type { OauthApp, oauthApps } from './resource.ts'
import { newSecret, rolled } from './secrets.ts'
import type { OauthAppStore, StoredOauthApp } from './store.ts'

/** The handlers of apps. */
export function oauthAppHandlers(store: OauthAppStore, bus: Bus): Handlers<typeof oauthApps> {
  /** Returns an app a new secret; the previous ones end at `until`. */
  async function roll(account_id: string, _id: string, until: Date): Promise<OauthApp & { client_secret: string }> {
    return untilUnchanged('app', async () => {
      const current = found(await store.get(account_id, _id))
      const { secret, stored } = newSecret()
      const app = await bus.announcing(
        topics.oauthApps,
        account_id,
        store.replaceSecrets(current, rolled(current.secrets, stored, until)),
      )
      return app && { ...shown(app), client_secret: secret }
    })
  }

  return {
    async list({ caller }) {
      return (await store.ofAccount(required(caller).account_id)).map(shown)
    },

    async read({ params, caller }) {
      return shown(found(await store.get(required(caller).account_id, params.id)))
    },

    async create({ body: given, accept, caller, newId }) {
      const { account_id } = required(caller)
      const body = await accept(errorsOf(given.redirect_uris))
      const now = new Date()
      const { secret, stored } = newSecret()
      const client_id = randomBytes(16).toString('hex')
      const app = await store.insert({
        _id: newId(),
        account_id,
        client_id,
        ...body,
        redirect_uris: eachOnce(body.redirect_uris),
        secrets: [stored],
        revision: 0,
        ...newTimes(now),
      })
      // An earlier try stored the app, and its secret is not stored.
      if (app.client_id !== client_id) return roll(account_id, app._id, now)
      return { ...shown(app), client_secret: secret }
    },

    async update({ params, body: given, accept, caller }) {
      const { account_id } = required(caller)
      const { redirect_uris, ...rest } = await accept(errorsOf(given.redirect_uris))
      const changes = { ...rest, ...(redirect_uris && { redirect_uris: eachOnce(redirect_uris) }) }
      return shown(
        found(await bus.announcing(topics.oauthApps, account_id, store.update(account_id, params.id, changes))),
      )
    },

    async roll_secret({ params, body, caller }) {
      const { account_id } = required(caller)
      return roll(account_id, params.id, new Date(Date.now() + body.overlap_seconds * 1000))
    },

    async delete({ params, caller }) {
      const { account_id } = required(caller)
      const app = found(await bus.announcing(topics.oauthApps, account_id, store.delete(account_id, params.id)))
      bus.announce(topics.signIns, { account_id, client_id: app.client_id })
      return shown(app)
    },
  }
}

/** The errors of addresses; none without addresses. */
function errorsOf(uris: string[] | undefined): FieldErrors {
  if (uris?.length === 0) return { redirect_uris: [messageOf('blank')] }
  const problems = (uris ?? []).flatMap((uri, index) => {
    const problem = redirectProblem(uri)
    return problem ? [[`redirect_uris.${index}`, [problem]]] : []
  })
  return Object.fromEntries(problems)
}

/** The addresses without repetitions. */
function eachOnce(uris: string[]): string[] {
  return [...new Set(uris)]
}

function shown(app: StoredOauthApp): OauthApp {
  const { _id, name, redirect_uris, is_strict, client_id, secrets, created_at, updated_at } = app
  const now = new Date()
  const [old] = heldList(secrets).flatMap(({ expires_at }) => (expires_at && expires_at > now ? [expires_at] : []))
  return {
    ...{ _id, name, redirect_uris, is_strict, client_id, created_at, updated_at },
    ...(old && { old_secret_expires_at: old }),
  }
}
