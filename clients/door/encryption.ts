/*
 * Encryption of what a device keeps. The key can be used and not read; a browser keeps it in IndexedDB. Once the app has deleted it, nobody reads what
 * was kept.
 */

const NAME = 'AES-GCM'
const IV_BYTES = 12

/** A new key. */
export function newKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: NAME, length: 256 }, false, ['encrypt', 'decrypt'])
}

/** A text as it may be kept. */
export async function encryptAtRest(key: CryptoKey, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const encrypted = await crypto.subtle.encrypt({ name: NAME, iv }, key, new TextEncoder().encode(text))
  const kept = new Uint8Array(IV_BYTES + encrypted.byteLength)
  kept.set(iv)
  kept.set(new Uint8Array(encrypted), IV_BYTES)
  return kept
}

/** The text again. Rejects if the key is another one, or what was kept has changed. */
export async function decryptAtRest(key: CryptoKey, kept: Uint8Array<ArrayBuffer>): Promise<string> {
  const iv = kept.subarray(0, IV_BYTES)
  const text = await crypto.subtle.decrypt({ name: NAME, iv }, key, kept.subarray(IV_BYTES))
  return new TextDecoder().decode(text)
}
