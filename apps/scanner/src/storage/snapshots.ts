import type { Database } from './database.ts'
import { open, seal } from './sealed.ts'

/** The last snapshot of an event, with when it was asked for. */
export async function loadSnapshot(
  database: Database,
  event_id: string,
): Promise<{ text: string; asked_at: number } | undefined> {
  const kept = await database.get('snapshot', 'own')
  if (kept?.event_id !== event_id) return undefined
  return { text: await open(kept.sealed), asked_at: kept.asked_at }
}

/** Keeps the text of a snapshot in place of the last one. */
export async function saveSnapshot(
  database: Database,
  event_id: string,
  asked_at: number,
  text: string,
): Promise<void> {
  await database.put('snapshot', { event_id, asked_at, sealed: await seal(text) }, 'own')
}

/** Forgets the snapshot with its key. */
export async function wipeSnapshot(database: Database): Promise<void> {
  await database.clear('snapshot')
}
