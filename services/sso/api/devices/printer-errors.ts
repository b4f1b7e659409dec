import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Dependencies } from '../dependencies.ts'
import type { StoredDevice } from './store.ts'

type Followed = Pick<StoredDevice, 'account_id' | 'event_id' | 'accesspoint_ids'> & {
  _id?: string
  kind?: StoredDevice['kind'] | undefined
}

/** Returns the error for a printer at a check-in point that another one follows: both would print the badges of its guests. */
export async function printerErrors({ devices }: Dependencies, device: Followed): Promise<FieldErrors> {
  if (device.kind !== 'printer') return {}
  const all = await devices.ofEvent(device.account_id, device.event_id)
  const others = all.filter(({ _id, kind }) => kind === 'printer' && _id !== device._id)
  return others.some((other) => follow(other, device)) ? { accesspoint_ids: [messageOf('taken')] } : {}
}

/** Whether two printers follow the same check-in point; one without check-in points follows all. */
function follow(one: Followed, other: Followed): boolean {
  if (one.accesspoint_ids.length === 0 || other.accesspoint_ids.length === 0) return true
  return one.accesspoint_ids.some((id) => other.accesspoint_ids.includes(id))
}
