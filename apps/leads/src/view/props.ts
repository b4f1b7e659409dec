import type { Leads } from '../leads.ts'
import type { LeadsSay } from '../texts/say.ts'

/** What each view gets. */
export interface ViewProps {
  leads: Leads
  say: LeadsSay
}
