import type { RegistrationSettings } from '@gatehouse/guests/resources'
import type { PageKey } from '../../delivery/invitations/store.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Whether a registration page takes registrations. */
export const openings = ['open', 'not_open', 'closed', 'full'] as const

/** How a registration page is, and how many persons count against its limit. */
export interface Opening {
  state: (typeof openings)[number]
  persons: number
}

/** Says whether a registration page takes registrations now. */
export async function openingOf(
  { places }: Pick<Dependencies, 'places'>,
  key: PageKey,
  category: RegistrationSettings,
  isArchived: boolean,
  now = new Date(),
): Promise<Opening> {
  const persons = await places.count(key)
  const { registration_enabled, registration_opens_at: from, registration_closes_at: until } = category
  if (isArchived || !registration_enabled || (until && until <= now)) return { state: 'closed', persons }
  if (from && from > now) return { state: 'not_open', persons }
  const { registration_limit: limit } = category
  return { state: limit !== null && persons >= limit ? 'full' : 'open', persons }
}
