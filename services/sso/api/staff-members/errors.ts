import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import type { Dependencies } from '../dependencies.ts'
import { eventErrors } from '../event-errors.ts'
import { boundErrors } from './rules.ts'
import type { StoredMember } from './store.ts'

/** Returns the errors of a member's event. */
export async function memberErrors(
  { eventClient }: Dependencies,
  account_id: string,
  member: Partial<StoredMember>,
): Promise<FieldErrors> {
  const errors = boundErrors(member)
  return Object.keys(errors).length > 0 ? errors : eventErrors(eventClient, account_id, member.event_id ?? null)
}
