import { randomBytes } from 'node:crypto'
import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { redirectErrors } from './redirect-uris.ts'
import type { oauthApps } from './resource.ts'
import { rollSecret } from './roll-secret.ts'
import { newSecret } from './secrets.ts'
import { shown } from './shown.ts'

type Create = (typeof oauthApps)['actions']['create']

/** Creates an app with a secret. */
export async function create(
  dependencies: Dependencies,
  { body: given, accept, caller, newId }: Call<Create>,
): Promise<Output<Create>> {
  const { account_id } = required(caller)
  const body = await accept(redirectErrors(given.redirect_uris))
  const now = new Date()
  const { secret, stored } = newSecret()
  const client_id = randomBytes(16).toString('hex')
  const app = await dependencies.apps.insert({
    _id: newId(),
    account_id,
    client_id,
    ...body,
    redirect_uris: [...new Set(body.redirect_uris)],
    secrets: [stored],
    revision: 0,
    ...newTimes(now),
  })
  // An earlier try stored the app, and its secret is not stored.
  if (app.client_id !== client_id) return rollSecret(dependencies, account_id, app._id, now)
  return { ...shown(app), client_secret: secret }
}
