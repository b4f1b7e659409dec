import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import type { OauthApp } from './resource.ts'
import { newSecret, rolled } from './secrets.ts'
import { shown } from './shown.ts'

/** Adds a new secret to an app; the previous ones end at `until`. */
export async function rollSecret(
  { apps, bus }: Dependencies,
  account_id: string,
  _id: string,
  until: Date,
): Promise<OauthApp & { client_secret: string }> {
  return untilUnchanged('app', async () => {
    const current = found(await apps.get(account_id, _id))
    const { secret, stored } = newSecret()
    const replacing = apps.replaceSecrets(current, rolled(current.secrets, stored, until))
    const app = await bus.announcing(topics.oauthApps, account_id, replacing)
    return app && { ...shown(app), client_secret: secret }
  })
}
