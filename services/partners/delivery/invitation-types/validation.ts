import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Dependencies } from '../../dependencies.ts'
import { unknownLinks } from './markup.ts'
import { unknownPlaceholders } from './placeholders.ts'
import type { InvitationType } from './resource.ts'

/** The errors of a type that its schema does not find. */
export async function errorsOf(
  { guestCategoryClient }: Dependencies,
  event_id: string,
  { guest_category_id: id, subject, message }: Partial<InvitationType>,
): Promise<FieldErrors> {
  const isUnknown = id ? (await guestCategoryClient.known({ body: { event_id, ids: [id] } })).ids.length === 0 : false
  const [inSubject] = unknownPlaceholders(subject)
  const [inMessage] = unknownPlaceholders(message)
  const [link] = unknownLinks(message)
  return {
    ...(isUnknown && {
      guest_category_id: [messageOf('unknown_reference', { thing: 'a guest category', owner: 'event' })],
    }),
    ...(inSubject !== undefined && { subject: [messageOf('unknown_placeholder', { found: inSubject })] }),
    ...(link !== undefined && { message: [messageOf('disallowed_link', { found: link })] }),
    ...(inMessage !== undefined && { message: [messageOf('unknown_placeholder', { found: inMessage })] }),
  }
}
