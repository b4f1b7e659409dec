import { Outbox, type OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import type { ServiceContext } from '@gatehouse/proto/serving/service.ts'
import type { Db } from 'mongodb'
import { partnerCampaigns } from './campaigns/partner-campaigns/resource.ts'
import type { StoredCampaign } from './campaigns/partner-campaigns/store.ts'
import { counted, type UsageStore } from './campaigns/partners/usage-store.ts'
import { invitation } from './delivery/invitations/resource.ts'
import type { InvitationStore } from './delivery/invitations/store.ts'
import { pendingRegistration } from './delivery/invitations/views.ts'
import type { PauseStore, PlannedPause } from './delivery/pausing/store.ts'

interface Stores {
  invitations: InvitationStore
  pauses: PauseStore
  usage: UsageStore
}

/** Returns the outbox of the service's two events: a campaign paused itself, or a registration is pending. */
export function openOutbox(
  context: Pick<ServiceContext, 'domain' | 'log'> & { db: Db },
  stores: Stores,
): Outbox<PlannedPause> {
  return new Outbox({
    ...context,
    recover: async (entry) =>
      entry.type === 'partner_campaign.paused' ? recoverPause(stores, entry) : recoverRegistrations(stores, entry),
    schemaOf: (type) => (type === 'partner_campaign.paused' ? partnerCampaigns.actions.create.reply : invitation),
  })
}

async function recoverRegistrations({ invitations }: Stores, { items }: OutboxEntry) {
  return (await Promise.all(items.map(({ _id }) => invitations.get(_id)))).flatMap(pendingRegistration)
}

/** Finds the campaign that was paused under an entry. */
async function recoverPause(
  { pauses, usage }: Stores,
  { event_id, items: [planned] }: OutboxEntry<PlannedPause>,
): Promise<StoredCampaign[]> {
  const campaigns = planned ? await pauses.withIds(event_id, [planned._id]) : []
  const paused = campaigns.find(({ pause_id }) => pause_id === planned?.pause_id)
  if (!paused) return []
  return [counted(paused, (await usage.get({ _id: paused.partner_id, event_id })) ?? undefined)]
}
