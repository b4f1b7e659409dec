import { unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'
import type { StoredInvitation } from '../invitations/store.ts'
import type { InvitationMail } from '../sending/resource.ts'
import { attachmentsOf, contentOf, contextOf } from './content.ts'
import { reminderMailsOf } from './reminders.ts'

/** Returns the e-mails of leased deliveries. Those whose guests are gone are cancelled. */
export async function mailingMailsOf(
  dependencies: DeliveryDependencies,
  event_id: string,
  lease: string,
  leased: readonly { invitation: StoredInvitation }[],
): Promise<InvitationMail[]> {
  const [first] = leased
  if (!first) return []
  const { mailings, guestClient, invitations, links, publicLinks } = dependencies
  const mailing = await mailings.get(event_id, first.invitation.partner_id)
  if (!mailing) return []
  if (mailing.audience.invitation_type_id) return reminderMailsOf(dependencies, mailing, lease, leased)
  const context = await contextOf(dependencies, event_id)
  const gone: string[] = []
  const mails = leased.map(async ({ invitation: { _id, guest_id = '', address: to } }) => {
    const reading = guestClient.read({ params: { event_id, id: guest_id }, query: { guest_metadata: true } })
    const guest = await unlessRefused(reading, 'not_found')
    if (!guest) {
      gone.push(_id)
      return []
    }
    const unsubscribe_link = links.ofUnsubscribing(event_id, _id)
    const content = contentOf(dependencies, context, mailing, { guest, unsubscribe_link, qrCode: 'attached' })
    const attachments = await attachmentsOf(dependencies, content, guest)
    const { subject, text, html, sender_name, reply_to } = content
    const link = publicLinks.of('qrcode', event_id, guest_id)
    return [{ _id, to, subject, text, html, sender_name, reply_to, link, unsubscribe_link, attachments }]
  })
  const made = (await Promise.all(mails)).flat()
  await invitations.recordOutcome(event_id, lease, gone, 'cancelled', null)
  return made
}
