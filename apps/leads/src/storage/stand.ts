import type { Database, StoredStand } from './database.ts'

/** The stand of this phone, if it ever had one. */
export function loadStand(database: Database): Promise<StoredStand | undefined> {
  return database.get('stand', 'own')
}

/** Keeps a new stand in place of the last one. */
export async function replaceStand(database: Database, stand: StoredStand): Promise<void> {
  await database.put('stand', stand, 'own')
}

/** Changes the stand that has this token. Another window may have made it another one meanwhile: returns what is kept then. */
export async function changeStand(
  database: Database,
  access_token: string | null,
  changes: Partial<StoredStand>,
): Promise<StoredStand | undefined> {
  const transaction = database.transaction('stand', 'readwrite')
  const kept = await transaction.store.get('own')
  const stand = kept && kept.access_token === access_token ? { ...kept, ...changes } : kept
  if (stand && stand !== kept) transaction.store.put(stand, 'own')
  await transaction.done
  return stand
}
