import { type EventData, eventDataHandlers } from '@gatehouse/proto/serving/event-data.ts'
import type { Db } from 'mongodb'
import { retireCode } from './campaigns/partner-campaigns/codes.ts'
import type { StoredCampaign } from './campaigns/partner-campaigns/store.ts'
import type { StoredPartner } from './campaigns/partners/store.ts'
import type { StoredInvitation } from './delivery/invitations/store.ts'
import type { StoredMailing } from './delivery/mailings/store.ts'
import { holdArrived } from './delivery/pausing/pausing.ts'
import type { Dependencies } from './dependencies.ts'

const OLDEST_FIRST = { created_at: 1, _id: 1 } as const
const PAUSE = ['paused_at', 'pause_reason']
const HELD = 'Those that waited to be sent are held after an import, until their campaign or mailing is resumed'

/** Invitations and deliveries of mailings. One that waits to be sent is held, since a copy would be sent too. */
const invitations = {
  order: { partner_campaign_id: 1, created_at: -1, _id: -1 },
  isUnfinished: ({ state, step, due_at, held, answer_due }: StoredInvitation) =>
    state === 'pending' || answer_due !== undefined || (!held && (step !== undefined || due_at !== undefined)),
  waiting: (invitation: StoredInvitation) =>
    invitation.step === 'waiting' && invitation.answer_due === undefined ? { ...invitation, held: true } : undefined,
  omits: [
    ...['due_at', 'traceparent', 'following', 'confirmation_due', 'confirmation_since'],
    ...['confirmation_traceparent', 'confirmation_attempts'],
  ],
} as const

/** What the service holds of events: what would be sent goes first. */
export const collections: EventData['collections'] = [
  {
    name: 'invitations',
    archived: { ...invitations, holds: `invitations of partners, registrations, and what became of them. ${HELD}` },
    stays: 'e-mails that would confirm a registration and were not sent yet',
  },
  {
    name: 'mailing_deliveries',
    archived: { ...invitations, holds: `e-mails of mailings to guests, and what became of them. ${HELD}` },
  },
  {
    name: 'mailings',
    archived: {
      holds: 'mailings. Those that were still to find guests are drafts after an import: nobody gets one twice',
      order: OLDEST_FIRST,
      isUnfinished: ({ audience_due, notes = [] }: StoredMailing) => audience_due !== undefined || notes.length > 0,
      waiting: ({ audience_due, looking: _, ...mailing }: StoredMailing) =>
        audience_due === undefined || mailing.notes?.length ? undefined : { ...mailing, started_at: null },
      settles: PAUSE,
    },
  },
  { name: 'partner_access_tokens', stays: "links to partners' pages: they are secret. Send each partner a new one" },
  { name: 'partner_uploads', stays: 'files that partners were uploading' },
  { name: 'former_recipients', archived: { holds: 'recipients whose partner is deleted', order: { _id: 1 } } },
  { name: 'blocked_recipients', archived: { holds: 'blocked recipients', order: OLDEST_FIRST } },
  {
    name: 'suppressions',
    archived: { holds: 'addresses that get no more e-mails: one bounced or was marked as spam', order: OLDEST_FIRST },
  },
  { name: 'unsubscriptions', archived: { holds: 'addresses that have unsubscribed', order: { _id: 1 } } },
  {
    name: 'registration_counters',
    archived: { holds: 'how many places of registration pages were given out', order: { _id: 1 } },
  },
  {
    name: 'partner_campaigns',
    archived: {
      holds: 'partner campaigns',
      order: { partner_id: 1, created_at: 1, _id: 1 },
      isUnfinished: ({ settled }: StoredCampaign) => !settled,
      settles: PAUSE,
      // A code in another event is of that event's account.
      omits: ({ wanted_code, event_id }: StoredCampaign) =>
        wanted_code && wanted_code.event_id !== event_id ? ['wanted_code'] : [],
    },
    stays: 'discount codes of partner campaigns in another event',
  },
  {
    name: 'partners',
    archived: {
      holds: 'partners, with their quotas and counts',
      order: OLDEST_FIRST,
      isUnfinished: ({ deleted, unsettled, notes = [] }: StoredPartner) =>
        deleted || unsettled === true || notes.length > 0,
    },
  },
  {
    name: 'invitation_types',
    archived: { holds: 'invitation types', order: OLDEST_FIRST, omits: ['deletion_mark'] },
  },
]

/** Returns the handlers that delete what the service holds of a deleted event, and that give it to archives and take it from them. Discount codes in another event are disabled, as with a deleted campaign; campaigns and mailings whose e-mails waited when they were exported are paused. */
export function partnersEventDataHandlers(db: Db, dependencies: Dependencies) {
  return eventDataHandlers(db, {
    collections,
    async before({ event_id }) {
      for (const campaign of await dependencies.campaigns.ofEvent(event_id))
        if (campaign.wanted_code && campaign.wanted_code.event_id !== event_id) await retireCode(dependencies, campaign)
    },
    async arrived({ event_id }) {
      for (const { pauses } of [dependencies, dependencies.ofMailings]) await holdArrived(pauses, event_id)
    },
  })
}
