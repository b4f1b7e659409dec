import { randomBytes } from 'node:crypto'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import type { Dependencies } from '../dependencies.ts'
import type { events } from './resource.ts'

type Ciphering = typeof events.actions.ciphering

/** Key and IV of an event's QR codes (AES-256-CBC), in base 64. */
interface CipheringKey {
  key: string
  iv: string
}

const KEY_BYTES = 32
const IV_BYTES = 16

/** A new key and IV, encrypted. */
export function newCiphering(encrypter: Encrypter): string {
  const ciphering: CipheringKey = {
    key: randomBytes(KEY_BYTES).toString('base64'),
    iv: randomBytes(IV_BYTES).toString('base64'),
  }
  return encrypter.encrypt(JSON.stringify(ciphering))
}

/** Returns the key of an event's QR codes, to whoever makes or reads them. */
export async function ciphering(
  { events, encrypter }: Dependencies,
  { body }: Call<Ciphering>,
): Promise<Output<Ciphering>> {
  const event = found(await events.get(body.event_id))
  if (!event.qr_code_ciphering_enabled || !event.ciphering)
    return { enabled: false, for_devices: false, key: null, iv: null }
  const opened = JSON.parse(encrypter.decrypt(event.ciphering)) as CipheringKey
  return { enabled: true, for_devices: event.device_qr_code_key_enabled, ...opened }
}
