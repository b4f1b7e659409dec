import { randomBytes } from 'node:crypto'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'

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

/** The key and IV that `newCiphering` encrypted. */
export function openCiphering(encrypter: Encrypter, sealed: string): CipheringKey {
  return JSON.parse(encrypter.decrypt(sealed)) as CipheringKey
}
