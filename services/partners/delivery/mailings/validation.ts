import { rsvpStatuses } from '@gatehouse/guests/resources'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Dependencies } from '../../dependencies.ts'
import { INVITATIONS, unknownLinks, type Vocabulary } from '../invitation-types/markup.ts'
import { unknownPlaceholders } from '../invitation-types/placeholders.ts'
import type { Mailing } from './resource.ts'
import { subjectNames, vocabularyOf } from './vocabulary.ts'

type Given = Partial<Mailing>

/** The errors of a mailing that its schema does not find. A change is judged together with what is stored. */
export async function errorsOf(
  dependencies: Dependencies,
  event_id: string,
  given: Given,
  stored: Omit<Mailing, 'is_sent'> | null,
): Promise<FieldErrors> {
  const { ongoing = stored?.ongoing, closes_at = stored?.closes_at ?? null } = given
  const type = (given.audience ?? stored?.audience)?.invitation_type_id
  const [texts, audience] = await Promise.all([
    // To others, the stored texts may say nothing.
    textErrors(dependencies, event_id, given.audience ? { ...stored, ...given } : given, type ? INVITATIONS : null),
    audienceErrors(dependencies, event_id, given),
  ])
  const isEndless = ongoing === true && closes_at === null
  return { ...texts, ...audience, ...(isEndless && { closes_at: [messageOf('blank')] }) }
}

/** The placeholders and links that the texts of a mailing may not have. */
export async function textErrors(
  { guestFieldClient }: Dependencies,
  event_id: string,
  { subject, message }: { subject?: string | null | undefined; message?: string | null | undefined },
  ofInvitations: Vocabulary | null,
): Promise<FieldErrors> {
  if (!subject?.includes('{{') && !message?.includes('{{') && !message?.includes('](')) return {}
  const guestFields = ofInvitations ? [] : await guestFieldClient.list({ params: { event_id } })
  const vocabulary = ofInvitations ?? vocabularyOf(guestFields)
  const [inSubject] = unknownPlaceholders(subject, ofInvitations?.names ?? subjectNames(guestFields))
  const [inMessage] = unknownPlaceholders(message, vocabulary.names)
  const [link] = unknownLinks(message, vocabulary)
  return {
    ...(inSubject !== undefined && { subject: [messageOf('unknown_placeholder', { found: inSubject })] }),
    ...(link !== undefined && {
      message: [messageOf(ofInvitations ? 'disallowed_link' : 'disallowed_target', { found: link })],
    }),
    ...(inMessage !== undefined && { message: [messageOf('unknown_placeholder', { found: inMessage })] }),
  }
}

async function audienceErrors(
  { guestCategoryClient, mailings, types }: Dependencies,
  event_id: string,
  { audience }: Given,
): Promise<FieldErrors> {
  if (!audience) return {}
  const { guest_category_ids, rsvp_status, checked_in, mailed, not_in_mailing_id, invitation_type_id } = audience
  const [known, other, type] = await Promise.all([
    guest_category_ids.length > 0
      ? guestCategoryClient.known({ body: { event_id, ids: guest_category_ids } })
      : { ids: [] as string[] },
    not_in_mailing_id ? mailings.get(event_id, not_in_mailing_id) : null,
    invitation_type_id ? types.get(event_id, invitation_type_id) : null,
  ])
  const unknown = (thing: string) => messageOf('unknown_reference', { thing, owner: 'event' })
  const hasUnknown = guest_category_ids.some((id) => !known.ids.includes(id))
  const isNoStatus = rsvp_status !== null && !(rsvpStatuses as readonly string[]).includes(rsvp_status)
  const categories = guest_category_ids.length > 0 || null
  const ofGuests = { guest_category_ids: categories, rsvp_status, checked_in, mailed, not_in_mailing_id }
  const besides = Object.entries(ofGuests).flatMap(([name, value]) => (value === null ? [] : [name]))
  return {
    ...(invitation_type_id && !type && { invitation_type_id: [unknown('an invitation type')] }),
    ...(invitation_type_id &&
      Object.fromEntries(besides.map((name) => [name, [messageOf('not_with', { field: 'invitation_type_id' })]]))),
    ...(hasUnknown && { guest_category_ids: [unknown('a guest category')] }),
    ...(isNoStatus && { rsvp_status: [messageOf('not_in_list', { values: rsvpStatuses.join(', ') })] }),
    ...(not_in_mailing_id && !other && { not_in_mailing_id: [unknown('a mailing')] }),
  }
}
