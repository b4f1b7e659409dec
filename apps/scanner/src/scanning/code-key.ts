import { CIPHERED, MECARD } from '../../../shared/src/codes/code.ts'

/** The key of an event's ciphered codes as this device keeps it: it only deciphers, and no script can read it. */
export interface CodeKey {
  key: CryptoKey
  /** In base 64. Another key has another one. */
  iv: string
}

const ALGORITHM = 'AES-CBC'

/** The key that the server gives, in base 64. */
export async function importCodeKey({ key, iv }: { key: string; iv: string }): Promise<CodeKey> {
  return { key: await crypto.subtle.importKey('raw', bytesOf(key), ALGORITHM, false, ['decrypt']), iv }
}

/** The MeCard in a ciphered code. Undefined if the key does not open it: then it is of another event. */
export async function deciphered(content: string, { key, iv }: CodeKey): Promise<string | undefined> {
  try {
    const algorithm = { name: ALGORITHM, iv: bytesOf(iv) }
    const bytes = await crypto.subtle.decrypt(algorithm, key, bytesOf(content.trim().slice(CIPHERED.length)))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // The padding of one wrong code in 256 is valid.
    return text.startsWith(MECARD) ? text : undefined
  } catch {
    return undefined
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
}
