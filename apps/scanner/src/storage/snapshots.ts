import type { Database, StoredSnapshot } from './database.ts'
import { open } from './sealed.ts'

/** The last snapshot of an event, with when it was asked for. */
export async function loadSnapshot(
  database: Database,
  event_id: string,
): Promise<{ text: string; asked_at: number } | undefined> {
  const [kept] = await database.getAll('snapshot')
  if (kept?.event_id !== event_id) return undefined
  return { text: await open(kept.sealed), asked_at: kept.asked_at }
}

/** When the last snapshot was asked for; 0 if there is none. */
export async function snapshotAskedAt(database: Database): Promise<number> {
  return (await database.getAllKeys('snapshot'))[0] ?? 0
}

/** Keeps a snapshot, or none, in place of the last one with its key, if this is still the device with the token. Returns whether it is. */
export async function replaceSnapshot(
  database: Database,
  token: string,
  snapshot: StoredSnapshot | undefined,
): Promise<boolean> {
  const transaction = database.transaction(['device', 'snapshot'], 'readwrite')
  const device = await transaction.objectStore('device').get('own')
  const isDevice = device?.token === token
  if (isDevice) {
    transaction.objectStore('snapshot').clear()
    if (snapshot) transaction.objectStore('snapshot').put(snapshot, snapshot.asked_at)
  }
  await transaction.done
  return isDevice
}
