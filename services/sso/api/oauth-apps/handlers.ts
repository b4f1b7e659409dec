import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import type { oauthApps } from './resource.ts'
import { rollSecret } from './roll-secret.ts'
import { shown } from './shown.ts'
import { update } from './update.ts'

/** Returns the handlers of apps. */
export function oauthAppHandlers(dependencies: Dependencies): Handlers<typeof oauthApps> {
  return handlersOf<typeof oauthApps, Dependencies>(
    {
      list: async ({ apps }, { caller }) => (await apps.ofAccount(required(caller).account_id)).map(shown),
      read: async ({ apps }, { params, caller }) =>
        shown(found(await apps.get(required(caller).account_id, params.id))),
      create,
      update,
      roll_secret: (of, { params, body, caller }) =>
        rollSecret(of, required(caller).account_id, params.id, new Date(Date.now() + body.overlap_seconds * 1000)),
      async delete({ apps, bus }, { params, caller }) {
        const { account_id } = required(caller)
        const app = found(await bus.announcing(topics.oauthApps, account_id, apps.delete(account_id, params.id)))
        bus.announce(topics.signIns, { account_id, client_id: app.client_id })
        return shown(app)
      },
    },
    dependencies,
  )
}
