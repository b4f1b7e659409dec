import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import { accesspointErrors } from './accesspoint-errors.ts'
import { printerErrors } from './printer-errors.ts'
import type { Device, devices } from './resource.ts'
import { keyOf, shown } from './shown.ts'

/** Updates a device. It is announced, because gateways know the check-in points of a token. */
export async function update(
  dependencies: Dependencies,
  call: Call<(typeof devices)['actions']['update']>,
): Promise<Device> {
  const { devices, bus } = dependencies
  const { params, body: given, accept } = call
  const before = found(await devices.get(keyOf(call)))
  const body = await accept({
    ...(await printerErrors(dependencies, { ...before, ...given })),
    ...(await accesspointErrors(dependencies, params.event_id, given.accesspoint_ids)),
  })
  return shown(found(await bus.announcing(topics.tokens, 'changed', devices.update(keyOf(call), body))))
}
