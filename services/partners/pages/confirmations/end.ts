import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { confirmations as resource } from './resource.ts'

/** Records what came of the e-mail of a lease. */
export async function end(
  { confirmations, delays }: Dependencies,
  { body: { outcome, ...lease } }: Call<(typeof resource)['actions']['end']>,
): Promise<Record<never, never>> {
  if (outcome !== 'later') {
    // The e-mail that asks to confirm an address confirms nothing yet.
    const isAsking = (await confirmations.leased(lease))?.registration_state === 'unconfirmed'
    await confirmations.end(lease, outcome === 'sent' && !isAsking ? new Date() : null)
    return {}
  }
  const { confirmation_attempts = 0 } = (await confirmations.leased(lease)) ?? {}
  const delay = delays[confirmation_attempts]
  if (delay === undefined) await confirmations.end(lease, null)
  else await confirmations.postpone(lease, new Date(Date.now() + delay), true)
  return {}
}
