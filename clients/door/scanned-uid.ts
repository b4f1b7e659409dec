import { uidOf, visible } from '@gatehouse/proto/declaring/visible.ts'
import type { Snapshot } from './snapshot.ts'
import { hashUid } from './uid-hash.ts'

/** The uid for which a scanned text stands, as the door takes it: without what nobody sees at its ends, unless a guest has it just so. */
export async function scannedUid({ salt, guests }: Pick<Snapshot, 'salt' | 'guests'>, text: string): Promise<string> {
  if (visible(text) === text) return text
  const hash = await hashUid(salt, text)
  return uidOf(text, () => guests.has(hash))
}
