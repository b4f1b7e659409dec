import type { Call, Download, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type EventTerms, eventTerms } from '../../event-terms.ts'
import { NO_INVITATION } from '../invitations/links.ts'
import { contentOf } from '../sending/mails.ts'
import { frameOf } from '../sending/preview-frame.ts'
import { EXAMPLE_RECIPIENT } from '../test-sends/outcome.ts'
import type { InvitationType, invitationTypes } from './resource.ts'

type Preview = (typeof invitationTypes)['actions']['preview']

/** An address that nobody has (RFC 2606). */
const EXAMPLE_EMAIL = 'ada.lovelace@example.org'

/** Returns what an e-mail of an invitation type says with example values. */
export function exampleOf(
  { links }: Pick<Dependencies, 'links'>,
  type: InvitationType,
  event: EventTerms,
  email = EXAMPLE_EMAIL,
): ReturnType<typeof contentOf> {
  const link = links.of(type.event_id, NO_INVITATION)
  return contentOf(type, { ...EXAMPLE_RECIPIENT, email, link }, event)
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
