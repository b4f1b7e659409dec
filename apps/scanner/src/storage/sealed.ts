/** Text that is encrypted on this device, with the key that opens it. Without the key, which no script can read, nothing of it is left. */
export interface Sealed {
  key: CryptoKey
  iv: Uint8Array<ArrayBuffer>
  bytes: ArrayBuffer
}

const ALGORITHM = 'AES-GCM'
const IV_BYTES = 12

/** Encrypts a text under a new key. */
export async function seal(text: string): Promise<Sealed> {
  const key = await crypto.subtle.generateKey({ name: ALGORITHM, length: 256 }, false, ['encrypt', 'decrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const bytes = await crypto.subtle.encrypt({ name: ALGORITHM, iv }, key, new TextEncoder().encode(text))
  return { key, iv, bytes }
}

/** The text that was sealed. */
export async function open({ key, iv, bytes }: Sealed): Promise<string> {
  return new TextDecoder().decode(await crypto.subtle.decrypt({ name: ALGORITHM, iv }, key, bytes))
}
