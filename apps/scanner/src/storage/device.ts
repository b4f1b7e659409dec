import type { Database } from './database.ts'
import type { Device } from './kept.ts'

/** The device as it was last, if it was ever enrolled. */
export function loadDevice(database: Database): Promise<Device | undefined> {
  return database.get('device', 'own')
}

/** Keeps the device. */
export async function saveDevice(database: Database, device: Device): Promise<void> {
  await database.put('device', device, 'own')
}
