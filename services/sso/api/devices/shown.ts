import { type Caller, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import type { EnrolmentCodes } from '@gatehouse/proto/storage/enrolment-codes.ts'
import type { Device, devices } from './resource.ts'
import type { DeviceKey, StoredDevice } from './store.ts'

/** Defaults of devices that are older than these fields. */
const ADDED_LATER = { kind: 'scanner' } as const

/** Returns a device with the time of its code only while the code waits. */
export function shown(device: StoredDevice): Device {
  const { code_hash, exchange_id, code_expires_at } = device
  const waits = code_hash !== undefined && exchange_id === undefined && code_expires_at !== null
  return { ...ADDED_LATER, ...device, code_expires_at: waits && code_expires_at > new Date() ? code_expires_at : null }
}

/** The page that takes the code of a device, by its kind. */
const PAGES = { scanner: 'scanner', printer: 'print' } as const

/** Returns a device with its new code. */
export async function withCode(
  codes: EnrolmentCodes,
  device: StoredDevice,
  code: string,
): Promise<Output<(typeof devices)['actions']['create']>> {
  const page = PAGES[device.kind ?? 'scanner']
  return { ...shown(device), code, url: codes.addressOf(code, page), qr_code: await codes.qrCodeOf(code, page) }
}

/** Returns the key of the device that a call names. */
export function keyOf({
  params,
  caller,
}: {
  params: { event_id: string; id: string }
  caller: Caller | undefined
}): DeviceKey {
  return { _id: params.id, event_id: params.event_id, account_id: required(caller).account_id }
}
