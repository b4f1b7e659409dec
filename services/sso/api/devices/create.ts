import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { accesspointErrors } from './accesspoint-errors.ts'
import { printerErrors } from './printer-errors.ts'
import type { devices } from './resource.ts'
import { withCode } from './shown.ts'
import { codeEnd } from './store.ts'

type Create = (typeof devices)['actions']['create']

/** Creates a device with a code. */
export async function create(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, caller, newId }: Call<Create>,
): Promise<Output<Create>> {
  const { devices, deviceCodes } = dependencies
  const { account_id } = required(caller)
  const { kind, accesspoint_ids = [] } = given
  const _id = newId()
  const body = await accept({
    ...(await printerErrors(dependencies, { _id, account_id, event_id, kind, accesspoint_ids })),
    ...(await accesspointErrors(dependencies, event_id, accesspoint_ids)),
  })
  const code = deviceCodes.create()
  const device = await devices.insert({
    _id,
    account_id,
    event_id,
    ...body,
    code_hash: deviceCodes.hashOf(code),
    code_expires_at: codeEnd(),
    enrolled_at: null,
    last_seen_at: null,
    battery_level: null,
    queue_length: null,
    app_version: null,
    ...newTimes(),
  })
  if (!device) throw invalid({ devices: [messageOf('account_limit', { limit: devices.cap, act: 'revoke' })] })
  return withCode(deviceCodes, device, code)
}
