import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Dependencies } from '../../dependencies.ts'
import { unknownLinks } from '../invitation-types/markup.ts'
import { unknownPlaceholders } from '../invitation-types/placeholders.ts'
import type { Mailing } from './resource.ts'
import { subjectNames, vocabularyOf } from './vocabulary.ts'

/** The errors of a mailing that its schema does not find. */
export async function errorsOf(
  { guestFieldClient }: Dependencies,
  event_id: string,
  { subject, message }: Partial<Mailing>,
): Promise<FieldErrors> {
  if (!subject?.includes('{{') && !message?.includes('{{') && !message?.includes('](')) return {}
  const guestFields = await guestFieldClient.list({ params: { event_id } })
  const vocabulary = vocabularyOf(guestFields)
  const [inSubject] = unknownPlaceholders(subject, subjectNames(guestFields))
  const [inMessage] = unknownPlaceholders(message, vocabulary.names)
  const [link] = unknownLinks(message, vocabulary)
  return {
    ...(inSubject !== undefined && { subject: [messageOf('unknown_placeholder', { found: inSubject })] }),
    ...(link !== undefined && { message: [messageOf('disallowed_target', { found: link })] }),
    ...(inMessage !== undefined && { message: [messageOf('unknown_placeholder', { found: inMessage })] }),
  }
}
