import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'
import type { sendJobs } from './resource.ts'
import { leftBy } from './send-queue.ts'

/** Adds the next job of a partner's lane to the queue if invitations are due for it. */
export async function renew(
  { invitations, usage, sendQueue }: DeliveryDependencies,
  { body: { event_id, partner_id, lane } }: Call<(typeof sendJobs)['actions']['renew']>,
): Promise<Record<never, never>> {
  const [partner, due] = await Promise.all([
    usage.get({ _id: partner_id, event_id }),
    invitations.due(event_id, partner_id, 1, leftBy(lane)),
  ])
  // Otherwise the jobs of a partner who may not send would follow each other without end.
  if (partner && !partner.disable_emails && due.length > 0)
    await sendQueue.add({ event_id, partner_id, ...(lane && { lane }) })
  return {}
}
