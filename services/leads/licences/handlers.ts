import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { hashOfToken, isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import type { AppStore } from '../apps/store.ts'
import type { ExhibitorStore } from '../exhibitors/store.ts'
import { events } from '../permissions.ts'
import type { licences } from './resource.ts'
import { signatureOf } from './signature.ts'

/** Handlers of licences. */
export function licenceHandlers(
  apps: AppStore,
  exhibitors: ExhibitorStore,
  encrypter: Encrypter,
  bus: Bus,
): Handlers<typeof licences> {
  const eventClient = clientOf(bus, events)

  /** The name of the app that made a signature. Every app is tried, so that the time does not depend on which it was. */
  async function signerOf(signature: string, eventId: string, accessToken: string): Promise<string | undefined> {
    const signers = (await apps.all()).filter(({ sealed_secret }) =>
      isSameSecret(signature, signatureOf(encrypter.decrypt(sealed_secret), eventId, accessToken)),
    )
    return signers[0]?.name
  }

  return {
    async activate({ params: { event_id, access_token }, body }) {
      const [exhibitor, app] = await Promise.all([
        exhibitors.findByToken(hashOfToken(access_token)),
        signerOf(body.signature, event_id, access_token),
      ])
      // One answer to all of these, which does not say what was wrong.
      if (exhibitor?.event_id !== event_id || app === undefined) throw new Fault('unauthorized')
      const { enabled, key, iv } = await eventClient.ciphering({ body: { event_id } })
      return { qr_code_ciphering_enabled: enabled, qr_code_ciphering_key: key, qr_code_ciphering_iv: iv, app }
    },
  }
}
