import type { Database, StoredDevice } from './database.ts'

/** Changes of the device, or what makes them of the one that is kept. */
export type DeviceChanges = Partial<StoredDevice> | ((kept: StoredDevice) => Partial<StoredDevice>)

/** The device as it was last, if it was ever enrolled. */
export function loadDevice(database: Database): Promise<StoredDevice | undefined> {
  return database.get('device', 'own')
}

/** Keeps a new device in place of the last one, and forgets what that one knew. */
export async function replaceDevice(database: Database, device: StoredDevice): Promise<void> {
  const transaction = database.transaction(['device', 'snapshot'], 'readwrite')
  transaction.objectStore('device').put(device, 'own')
  transaction.objectStore('snapshot').clear()
  await transaction.done
}

/**
 * Changes the device that has this token; one that loses its token forgets what it knows. Another window may have made it another one
 * meanwhile: gives what is kept then.
 */
export async function changeDevice(
  database: Database,
  token: string | null,
  changes: DeviceChanges,
): Promise<StoredDevice | undefined> {
  const transaction = database.transaction(['device', 'snapshot'], 'readwrite')
  const devices = transaction.objectStore('device')
  const kept = await devices.get('own')
  const isSame = kept !== undefined && kept.token === token
  const news = typeof changes === 'function' ? isSame && changes(kept) : changes
  const isRevoked = news && news.token === null
  const device = isSame ? { ...kept, ...news, ...(isRevoked && { code_key: undefined }) } : kept
  if (device && device !== kept) {
    devices.put(device, 'own')
    // In one transaction: a page that is closed in between would keep the guest list.
    if (isRevoked) transaction.objectStore('snapshot').clear()
  }
  await transaction.done
  return device
}
