import type { Guest } from '@gatehouse/guests/resources'
import { type FieldErrors, unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { NO_INVITATION } from '../invitations/links.ts'
import { contentOf, contextOf } from './content.ts'
import { exampleReminder } from './reminders.ts'
import type { mailings } from './resource.ts'

type Preview = (typeof mailings)['actions']['preview']

/** Returns what an e-mail of a mailing says. */
export async function preview(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<Preview>,
): Promise<Output<Preview>> {
  const mailing = found(await dependencies.mailings.get(event_id, id))
  const { guest, errors } = await guestOf(dependencies, event_id, given.guest_id)
  await accept(errors)
  if (mailing.audience.invitation_type_id) {
    const { subject, html, text } = await exampleReminder(dependencies, mailing)
    return { subject, html, text }
  }
  const unsubscribe_link = dependencies.links.ofUnsubscribing(event_id, NO_INVITATION)
  const context = await contextOf(dependencies, event_id)
  const { subject, html, text } = contentOf(dependencies, context, mailing, {
    guest,
    unsubscribe_link,
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
