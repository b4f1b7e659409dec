import { bytesToHex } from '@noble/hashes/utils.js'

/** SHA-256 of bytes or of a text, as hex. `crypto.subtle` is for pages with https only. */
export async function hashOf(data: Uint8Array | string): Promise<string> {
  const { sha256 } = await import('@noble/hashes/sha2.js')
  return bytesToHex(sha256(typeof data === 'string' ? new TextEncoder().encode(data) : data))
}
