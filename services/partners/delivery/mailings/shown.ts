import { noneYet } from '../../campaigns/partners/resource.ts'
import { usageOf } from '../../campaigns/partners/usage-store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { EVERYBODY, type Mailing } from './resource.ts'
import type { StoredMailing } from './store.ts'

/** Returns a mailing as clients see it. */
export async function shown(
  { ofMailings }: Pick<Dependencies, 'ofMailings'>,
  mailing: StoredMailing,
): Promise<Mailing> {
  const { unknown_recipients } = usageOf(mailing, mailing._id)
  // What an audience has is queued before the look for it ends.
  const isLooked = mailing.started_at !== null && mailing.audience_due === undefined
  const is_sent = isLooked && (await ofMailings.invitations.count(mailing, 'queued', 1)) === 0
  // Older audiences have not all fields.
  return { ...noneYet, ...mailing, audience: { ...EVERYBODY, ...mailing.audience }, unknown_recipients, is_sent }
}
