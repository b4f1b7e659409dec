import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { devices } from './resource.ts'

type Heartbeat = (typeof devices)['actions']['heartbeat']

/** Stores the state of the device whose token asks, and returns the holder of the token with the server's time. */
export async function heartbeat(
  { devices, tokens, staff }: Dependencies,
  { body, caller }: Call<Heartbeat>,
): Promise<Output<Heartbeat>> {
  const { account_id, token_id } = required(caller)
  const device = await devices.get({ _id: token_id, account_id })
  if (device) await devices.report(device, body)
  const holder = device ?? (await tokens.get(account_id, token_id)) ?? (await staff.get(account_id, token_id))
  // It was revoked within the last moments.
  if (!holder) throw new Fault('forbidden')
  return { name: null, accesspoint_ids: [], ...holder, server_time: new Date() }
}
