import type { LeadStore } from '../connections/store.ts'
import type { Exhibitor } from './resource.ts'
import type { ExhibitorStore } from './store.ts'

/** Finishes the deletions that a process began before it died. */
export async function finishDeletions(exhibitors: ExhibitorStore, leads: LeadStore): Promise<void> {
  for (const exhibitor of await exhibitors.halfDeleted()) await finishDeletion(exhibitors, leads, exhibitor)
}

/** Deletes an exhibitor's leads, and only then its document. */
export async function finishDeletion(
  exhibitors: ExhibitorStore,
  leads: LeadStore,
  exhibitor: Exhibitor,
): Promise<void> {
  await leads.deleteOfExhibitor(exhibitor.event_id, exhibitor._id)
  await exhibitors.remove(exhibitor)
}
