/**
 * Bytes of a hash of a uid. Of a million guests two share a hash in one event of 37 million, and a wrong code is taken for one of them in one scan
 * of eighteen trillion.
 */
export const HASH_BYTES = 8

/** What is hashed of a uid by SHA-256, whose first bytes are the hash. */
export function hashedText(salt: string, uid: string): string {
  return `${salt}:${uid}`
}

/** The hash by which a snapshot knows the guest with a uid: a character for each byte. */
export async function hashUid(salt: string, uid: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(hashedText(salt, uid)))
  return String.fromCharCode(...new Uint8Array(digest, 0, HASH_BYTES))
}
