import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { ObjectId } from 'mongodb'
import type { CounterChanges, FeedbackNote, NotedEvent } from '../../campaigns/partners/usage.ts'
import type { PartnerKey } from '../../campaigns/partners/usage-store.ts'
import { isDelivery, isOfPage, type StoredInvitation } from '../../delivery/invitations/store.ts'
import { pauseWhereNeeded } from '../../delivery/pausing/pausing.ts'
import type { DeliveryDependencies, Dependencies } from '../../dependencies.ts'
import type { SuppressionStore } from '../suppressions/store.ts'
import { unsubscribe } from '../unsubscriptions/unsubscribe.ts'
import type { MailEventType } from './resource.ts'

/** Events of one note: it is written into the partner's document, which should stay small. */
const NOTED_AT_ONCE = 200
/** Events that are recorded one by one, at the same time. */
const SINGLE_AT_ONCE = 8

/** Something that happened to the e-mail of an invitation. */
export interface FeedbackEvent {
  type: MailEventType
  /** Of a bounce: whether the address is to get no more e-mails. */
  isHard: boolean
  reason: string | null
  occurred_at: Date
}

/** An event of an invitation. */
export interface InvitationEvent {
  invitation: StoredInvitation
  event: FeedbackEvent
}

/*
 * Records what comes back about the e-mails of invitations, each thing once, in whatever order it comes and however often (docs/adr/0008):
 * first nothing goes to the address any more, then a note is written into the partner's document, the invitations change under it, and one
 * update counts that and removes the note.
 */

/** Returns invitations, and deliveries of mailings, by their `_id`s. */
export async function invitationsById(
  { mailEvents, ofMailings }: Dependencies,
  ids: readonly string[],
): Promise<Map<string, StoredInvitation>> {
  const wanted = [...new Set(ids)]
  const found = await Promise.all(
    [mailEvents, ofMailings.mailEvents].map((store) => inChunks(wanted, (some) => store.withIds(some))),
  )
  return new Map(found.flat().map((each) => [each._id, each]))
}

/** Records events. Resolves when they are stored and counted. */
export async function recordEvents(dependencies: Dependencies, given: readonly InvitationEvent[]): Promise<void> {
  const isOfMailing = ({ invitation }: InvitationEvent) => isDelivery(invitation)
  const isRegistration = ({ invitation }: InvitationEvent) => isOfPage(invitation)
  await recordOf(
    dependencies,
    given.filter((each) => !isOfMailing(each) && !isRegistration(each)),
  )
  // Nobody counts the e-mails to those who registered by themselves.
  await dependencies.suppressions.add(given.filter(isRegistration).flatMap(suppressionOf))
  await recordOf(dependencies.ofMailings, given.filter(isOfMailing))
}

async function recordOf(dependencies: DeliveryDependencies, given: readonly InvitationEvent[]): Promise<void> {
  const { mailEvents, suppressions } = dependencies
  // Those of known events are stored, or were lifted.
  const news = given.filter(isNews)
  await suppressions.add(news.flatMap(suppressionOf))
  await oneByOne(given.filter(isSoft), ({ invitation, event }) => mailEvents.noteSoftBounce(invitation, event.reason))
  const leaving = given.filter(({ event }) => event.type === 'unsubscribed')
  await oneByOne(leaving, ({ invitation }) => unsubscribe(dependencies, invitation))
  for (const [partner, ofPartner] of byPartner(news)) {
    for (let from = 0; from < ofPartner.length; from += NOTED_AT_ONCE) {
      await recordOfPartner(dependencies, partner, ofPartner.slice(from, from + NOTED_AT_ONCE))
    }
  }
  const known = given.filter((each) => !isNews(each) && suppressionOf(each).length > 0)
  for (const [partner, ofPartner] of byPartner(known)) await finishKnown(dependencies, partner, ofPartner)
}

async function recordOfPartner(
  dependencies: DeliveryDependencies,
  partner: PartnerKey,
  given: InvitationEvent[],
): Promise<void> {
  const events = given.map(({ invitation: { _id }, event: { type, reason, occurred_at } }) => ({
    invitation_id: _id,
    type: type as NotedEvent['type'],
    reason,
    occurred_at,
  }))
  const note: FeedbackNote = { kind: 'feedback', id: new ObjectId().toHexString(), events, at: new Date() }
  await dependencies.usage.note(partner, note)
  await finishRecording(dependencies, partner, note)
}

/** Does what is left of a note. */
export async function finishRecording(
  dependencies: DeliveryDependencies,
  partner: PartnerKey,
  note: FeedbackNote,
): Promise<void> {
  const { mailEvents, usage } = dependencies
  const recorded = await mailEvents.record(partner.event_id, note)
  const changes = recorded.map((each) => [each.partner_campaign_id, changesOf(each, note.id)] as const)
  await usage.commit(partner, note.id, changes)
  await pauseWhereNeeded(dependencies, partner, [...new Set(changes.map(([campaign_id]) => campaign_id))])
}

/** Finishes the notes of known events, and pauses campaigns: the process that recorded the events may have died before it did so. */
async function finishKnown(
  dependencies: DeliveryDependencies,
  partner: PartnerKey,
  given: InvitationEvent[],
): Promise<void> {
  const noteIds = new Set(given.flatMap(({ invitation: { bounce, complaint } }) => [bounce, complaint]))
  for (const note of (await dependencies.usage.get(partner))?.notes ?? []) {
    if (note.kind === 'feedback' && noteIds.has(note.id)) await finishRecording(dependencies, partner, note)
  }
  const campaigns = new Set(given.map(({ invitation }) => invitation.partner_campaign_id))
  await pauseWhereNeeded(dependencies, partner, [...campaigns])
}

/** A bounce of this one e-mail, which says nothing about the next one. */
function isSoft({ event }: InvitationEvent): boolean {
  return event.type === 'bounced' && !event.isHard
}

/** Whether an event has to be noted: it is not known yet, and changes more than the reason. */
function isNews(given: InvitationEvent): boolean {
  const { type, occurred_at } = given.event
  const { bounce, complaint, handed_over, outcome, opened_at } = given.invitation
  if (type === 'unsubscribed' || isSoft(given)) return false
  if (type === 'bounced') return bounce === undefined
  if (type === 'complained') return complaint === undefined
  const isNewlyProven = handed_over === undefined && outcome !== 'sent'
  return isNewlyProven || (type === 'opened' && !(opened_at && opened_at <= occurred_at))
}

/** The address that gets no more e-mails after an event, if it is one. */
function suppressionOf(given: InvitationEvent): Parameters<SuppressionStore['add']>[0] {
  const { event_id, address } = given.invitation
  const { type } = given.event
  const isFinal = type === 'complained' || (type === 'bounced' && given.event.isHard)
  return isFinal ? [{ event_id, address, cause: type }] : []
}

function byPartner(given: InvitationEvent[]): [PartnerKey, InvitationEvent[]][] {
  const groups = Map.groupBy(given, ({ invitation }) => invitation.partner_id)
  return Array.from(groups, ([_id, group]) => [{ _id, event_id: group[0]?.invitation.event_id ?? '' }, group])
}

async function oneByOne(given: InvitationEvent[], work: (one: InvitationEvent) => Promise<void>): Promise<void> {
  await inChunks(given, async (some) => [await work(some[0] as InvitationEvent)], {
    size: () => 1,
    concurrency: SINGLE_AT_ONCE,
  })
}

/** What an invitation adds to the counters under a note. One that is `unknown` to its lease was handed over, if anything came back. */
function changesOf({ bounce, complaint, handed_over, outcome }: StoredInvitation, note: string): CounterChanges {
  const isFound = handed_over === note && outcome === 'unknown'
  return {
    ...(bounce === note && { bounced_recipients: 1 }),
    ...(complaint === note && { spammed_recipients: 1 }),
    ...(isFound && { unknown_recipients: -1, nb_email_sent: 1, nb_recipients_email_sent: 1 }),
  }
}
