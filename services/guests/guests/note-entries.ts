import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { guests } from './resource.ts'

type NoteEntries = typeof guests.actions.note_entries

/** Stores with guests when they first came in. */
export async function note_entries(
  { entrySync }: Dependencies,
  { body: { event_id, entries } }: Call<NoteEntries>,
): Promise<Output<NoteEntries>> {
  await entrySync.sync(event_id, entries)
  return {}
}
