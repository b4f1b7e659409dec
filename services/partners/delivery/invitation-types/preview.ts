import type { Call, Download, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type EventTerms, eventTerms } from '../../event-terms.ts'
import { contentOf, type Recipient } from '../sending/mails.ts'
import { frameOf } from '../sending/preview-frame.ts'
import { exampleRecipient } from '../test-sends/outcome.ts'
import type { InvitationType, invitationTypes } from './resource.ts'
import { errorsOf } from './validation.ts'

type Preview = (typeof invitationTypes)['actions']['preview']
type Draft = (typeof invitationTypes)['actions']['preview_draft']

/** An address that nobody has (RFC 2606). */
const EXAMPLE_EMAIL = 'ada.lovelace@example.org'

/** Returns what an e-mail of an invitation type says with example values. */
export function exampleOf(
  dependencies: Pick<Dependencies, 'links'>,
  type: Pick<InvitationType, 'event_id' | 'subject' | 'message' | 'sender_name'>,
  event: EventTerms,
  recipient: Partial<Recipient> = {},
): ReturnType<typeof contentOf> {
  return contentOf(
    type,
    { ...exampleRecipient(dependencies, type.event_id), email: EXAMPLE_EMAIL, ...recipient },
    event,
  )
}

/** Returns what an e-mail of an invitation type would say that is still being written, with example values. */
export async function preview_draft(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept }: Call<Draft>,
): Promise<Output<Draft>> {
  const { subject, message, locale } = await accept(await errorsOf(dependencies, event_id, given))
  const type = { event_id, subject, message, sender_name: null }
  const mail = exampleOf(dependencies, type, await eventTerms(dependencies, event_id), { locale })
  return { subject: mail.subject, html: mail.html, text: mail.text }
}

/** Returns what an e-mail of an invitation type says with example values, as an object, or as a page for a frame. */
export async function preview(
  dependencies: Dependencies,
  { params: { event_id, id }, format }: Call<Preview>,
): Promise<Output<Preview> | Download> {
  const type = found(await dependencies.types.get(event_id, id))
  const { subject, html, text } = exampleOf(dependencies, type, await eventTerms(dependencies, event_id))
  return format === 'html' ? frameOf(html) : { subject, html, text }
}
