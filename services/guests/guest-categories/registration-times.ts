import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { GuestCategory } from './resource.ts'

/** The errors of the times of a registration page: it can't close before it opens. */
export function registrationTimeErrors({
  registration_opens_at: from,
  registration_closes_at: until,
}: Partial<Pick<GuestCategory, 'registration_opens_at' | 'registration_closes_at'>>): FieldErrors {
  if (!from || !until || until >= from) return {}
  return { registration_closes_at: [messageOf('ends_before_beginning', { field: 'registration_opens_at' })] }
}
