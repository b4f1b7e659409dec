import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isOfPage, type StoredInvitation } from '../invitations/store.ts'
import type { StoredMailing } from '../mailings/store.ts'
import type { GuestMail, guestMails } from './resource.ts'

type List = (typeof guestMails)['actions']['list']

/** The latest mailings that are looked at. */
const MAILINGS = { page: 1, per_page: 500 }

/** Returns what was written to a guest, newest first. Invitations are those of the address: guests do not say by which they came. */
export async function list(
  { guestClient, mailings, campaigns, guestMailStore }: Dependencies,
  { params: { event_id, guest_id } }: Call<List>,
): Promise<GuestMail[]> {
  const { email } = await guestClient.read({ params: { event_id, id: guest_id } })
  const address = email ? normalized(email) : undefined
  const [known, invitations] = await Promise.all([
    mailings.page(event_id, MAILINGS),
    address === undefined ? [] : guestMailStore.invitations(event_id, address),
  ])
  const [reminders, others] = [known.filter(isReminder), known.filter((each) => !isReminder(each))]
  const [typeOf, delivered, reminded] = await Promise.all([
    campaigns.typesOf(
      event_id,
      invitations.map(({ partner_campaign_id }) => partner_campaign_id),
    ),
    guestMailStore.deliveries(event_id, others, [guest_id]),
    guestMailStore.deliveries(
      event_id,
      reminders,
      invitations.map(({ _id }) => _id),
    ),
  ])
  const ofMailing = new Map(known.map((mailing) => [mailing._id, mailing]))
  const shown = [
    ...invitations.map((each) => invitationShown(each, typeOf.get(each.partner_campaign_id) ?? null)),
    ...[...delivered, ...reminded].map((each) => deliveryShown(each, ofMailing.get(each.partner_campaign_id))),
  ]
  return shown.sort((one, other) => timeOf(other) - timeOf(one))
}

/** The time of a mail; one that an earlier version stored may have none. */
function timeOf({ created_at }: GuestMail): number {
  return Number(created_at ?? 0)
}

function isReminder({ audience }: StoredMailing): boolean {
  return Boolean(audience?.invitation_type_id)
}

function deliveryShown(delivery: StoredInvitation, mailing: StoredMailing | undefined): GuestMail {
  return {
    ...common(delivery),
    kind: delivery.invitation_id === undefined ? 'mailing' : 'reminder',
    mailing_id: delivery.partner_campaign_id,
    subject: mailing?.subject ?? null,
    invitation_type_id: mailing?.audience?.invitation_type_id ?? null,
    partner_id: null,
  }
}

function invitationShown(invitation: StoredInvitation, type: string | null): GuestMail {
  const none = { mailing_id: null, subject: null }
  if (isOfPage(invitation))
    return { ...common(invitation), ...none, kind: 'registration', invitation_type_id: null, partner_id: null }
  const { partner_id } = invitation
  return { ...common(invitation), ...none, kind: 'invitation', invitation_type_id: type, partner_id }
}

function common({ _id, state, reason, sent_at, answer, created_at, updated_at, ...rest }: StoredInvitation) {
  const { opened_at = null, registration_state = null, confirmed_at = null } = rest
  return {
    ...{ _id, state: state as GuestMail['state'], reason, sent_at, opened_at },
    ...{ answer, registration_state, confirmed_at, created_at, updated_at },
  }
}
