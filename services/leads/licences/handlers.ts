import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Call, type Handlers, handlersOf, type Output } from '@gatehouse/proto/declaring/resource.ts'
import { hashOfToken, isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import type { Dependencies } from '../dependencies.ts'
import { decipher } from './decipher.ts'
import type { licences } from './resource.ts'
import { signatureOf } from './signature.ts'

type Activate = typeof licences.actions.activate

/** Returns the handlers of licences. */
export function licenceHandlers(dependencies: Dependencies): Handlers<typeof licences> {
  return handlersOf<typeof licences, Dependencies>({ activate, decipher }, dependencies)
}

/** Activates an exhibitor's app, and gives it the event's key. */
export async function activate(
  { apps, exhibitors, encrypter, eventClient }: Dependencies,
  { params: { event_id, access_token }, body: { signature } }: Call<Activate>,
): Promise<Output<Activate>> {
  const [exhibitor, all] = await Promise.all([exhibitors.findByToken(hashOfToken(access_token)), apps.all()])
  // Every app is tried, so that the time does not depend on which one made the signature.
  const [app] = all.filter(({ sealed_secret }) =>
    isSameSecret(signature, signatureOf(encrypter.decrypt(sealed_secret), event_id, access_token)),
  )
  // One answer to all of these, which does not say what was wrong.
  if (exhibitor?.event_id !== event_id || app === undefined) throw new Fault('unauthorized')
  const { enabled, key, iv } = await eventClient.ciphering({ body: { event_id } })
  return {
    qr_code_ciphering_enabled: enabled,
    qr_code_ciphering_key: key,
    qr_code_ciphering_iv: iv,
    app: app.name,
  }
}
