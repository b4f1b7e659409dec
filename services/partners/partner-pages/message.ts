import type { InvitationMails } from '../hand-overs/mails.ts'
import type { StoredInvitation } from '../invitations/store.ts'
import type { StoredCampaign } from '../partner-campaigns/store.ts'
import type { StoredPartner } from '../partners/store.ts'
import type { GoodRow } from './uploads/reading.ts'

/** An e-mail as its recipient will see it. */
export interface ShownMessage {
  to: string
  sender_name: string
  reply_to: string | null
  subject: string
  text: string
  html: string
}

/** No invitation has this `_id`: the link of a shown message leads nowhere, so that a partner can not answer for its recipients. */
const NOBODY = '0'.repeat(24)

/** The e-mail which a recipient would get. */
export async function messageTo(
  mails: InvitationMails,
  partner: StoredPartner,
  campaign: StoredCampaign,
  { recipient, address }: GoodRow,
): Promise<ShownMessage | undefined> {
  const invitation = { _id: NOBODY, event_id: campaign.event_id, address, ...recipient } as StoredInvitation
  const [mail] = await mails.of(partner, [{ invitation, campaign }])
  if (!mail) return undefined
  const { sender_name, reply_to, subject, text, html } = mail
  return { to: recipient.email, sender_name, reply_to, subject, text, html }
}
