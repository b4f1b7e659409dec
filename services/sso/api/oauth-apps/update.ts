import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import { redirectErrors } from './redirect-uris.ts'
import type { OauthApp, oauthApps } from './resource.ts'
import { shown } from './shown.ts'

/** Updates an app. */
export async function update(
  { apps, bus }: Dependencies,
  { params: { id }, body: given, accept, caller }: Call<(typeof oauthApps)['actions']['update']>,
): Promise<OauthApp> {
  const { account_id } = required(caller)
  const { redirect_uris, ...rest } = await accept(redirectErrors(given.redirect_uris))
  const changes = { ...rest, ...(redirect_uris && { redirect_uris: [...new Set(redirect_uris)] }) }
  return shown(found(await bus.announcing(topics.oauthApps, account_id, apps.update(account_id, id, changes))))
}
