import type { Guest } from '@gatehouse/guests/resources'
import { type FieldErrors, unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Download, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { INVITATIONS } from '../invitation-types/markup.ts'
import { NO_INVITATION } from '../invitations/links.ts'
import { frameOf } from '../sending/preview-frame.ts'
import { contentOf, contextOf, type MailingTexts } from './content.ts'
import { exampleReminder } from './reminders.ts'
import type { Mailing, mailings } from './resource.ts'
import { textErrors } from './validation.ts'

type Preview = (typeof mailings)['actions']['preview']
type Draft = (typeof mailings)['actions']['preview_draft']

/** Returns what an e-mail of a mailing says. */
export async function preview(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<Preview>,
): Promise<Output<Preview>> {
  const mailing = found(await dependencies.mailings.get(event_id, id))
  const { guest, errors } = await guestOf(dependencies, event_id, given.guest_id)
  await accept(errors)
  return shownTo(dependencies, mailing, guest)
}

/** Returns what an e-mail of a mailing would say that is still being written. */
export async function preview_draft(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept }: Call<Draft>,
): Promise<Output<Draft>> {
  const { invitation_type_id = null } = given
  const [{ guest, errors }, wrong] = await Promise.all([
    guestOf(dependencies, event_id, given.guest_id),
    textErrors(dependencies, event_id, given, invitation_type_id ? INVITATIONS : null),
  ])
  const { subject, message } = await accept({ ...errors, ...wrong })
  const texts = { subject: subject ?? '', message: message ?? '', sender_name: null }
  return shownTo(dependencies, { ...texts, event_id, audience: { invitation_type_id } }, guest)
}

/** Returns the HTML part of an e-mail of a mailing, as a page for a frame. */
export async function preview_page(
  dependencies: Dependencies,
  { params: { event_id, id }, query: { guest_id } }: Call<(typeof mailings)['actions']['preview_page']>,
): Promise<Download> {
  const mailing = found(await dependencies.mailings.get(event_id, id))
  const { guest } = await guestOf(dependencies, event_id, guest_id)
  if (guest_id !== undefined) found(guest)
  return frameOf((await shownTo(dependencies, mailing, guest)).html)
}

/** What an e-mail of a mailing says to a guest, with a link to unsubscribe that belongs to nobody. */
async function shownTo(
  dependencies: Dependencies,
  mailing: MailingTexts & { audience: Pick<Mailing['audience'], 'invitation_type_id'> },
  guest: Guest | null,
): Promise<Output<Draft>> {
  const { subject, html, text } = mailing.audience.invitation_type_id
    ? await exampleReminder(dependencies, mailing)
    : contentOf(dependencies, await contextOf(dependencies, mailing.event_id), mailing, {
        guest,
        unsubscribe_link: dependencies.links.ofUnsubscribing(mailing.event_id, NO_INVITATION),
        qrCode: 'public',
      })
  return { subject, html, text }
}

/** The guest whose values an e-mail is to have, or what is wrong with the id. */
export async function guestOf(
  { guestClient }: Dependencies,
  event_id: string,
  id: string | null | undefined,
): Promise<{ guest: Guest | null; errors: FieldErrors }> {
  if (!id) return { guest: null, errors: {} }
  const reading = guestClient.read({ params: { event_id, id }, query: { guest_metadata: true } })
  const guest = await unlessRefused(reading, 'not_found')
  if (guest) return { guest, errors: {} }
  return { guest, errors: { guest_id: [messageOf('unknown_reference', { thing: 'a guest', owner: 'event' })] } }
}
