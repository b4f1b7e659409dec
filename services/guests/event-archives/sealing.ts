import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'

/** What else is encrypted under the same key is no seal. */
const PURPOSE = 'event archive '

/** Seals a page of an archive by its digest: what bears the seal was given out by this Gatehouse, as it is. */
export function sealFor(encrypter: Encrypter, digest: string): string {
  return encrypter.encrypt(PURPOSE + digest)
}

/** Whether a seal is that of a page with this digest. */
export function isSealed(encrypter: Encrypter, digest: string, seal: string): boolean {
  try {
    return encrypter.decrypt(seal) === PURPOSE + digest
  } catch {
    return false
  }
}
