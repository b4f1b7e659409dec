import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Dependencies } from '../dependencies.ts'

/** The errors of a category's badge template: it must be of the event, unless the category has it already. */
export async function templateErrors(
  { badgeTemplateClient }: Dependencies,
  event_id: string,
  given: string | null | undefined,
  stored: string | null = null,
): Promise<FieldErrors> {
  if (given === undefined || given === null || given === stored) return {}
  const { ids } = await badgeTemplateClient.known({ body: { event_id, ids: [given] } })
  if (ids.length > 0) return {}
  return { badge_template_id: [messageOf('unknown_reference', { thing: 'a badge template', owner: 'event' })] }
}
