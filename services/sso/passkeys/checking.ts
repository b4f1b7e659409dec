import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { SignedInDependencies } from '../console/dependencies.ts'

/** Who signed in longer ago may not make a passkey: a session that was left open would become a sign-in for ever. */
const FRESH_MS = 10 * 60_000

/** Throws `conflict` where browsers offer no passkeys, and `forbidden` for who would make one and signed in too long ago. */
export function checkPasskeys(
  { passkeys: { obstacle }, signedIn }: Pick<SignedInDependencies, 'passkeys' | 'signedIn'>,
  method: string,
): void {
  if (obstacle !== undefined) throw new Fault('conflict', obstacle)
  if (method === 'POST' && Date.now() - signedIn.session.signed_in_at.getTime() >= FRESH_MS)
    throw new Fault('forbidden', 'You signed in more than ten minutes ago: sign in again first')
}
