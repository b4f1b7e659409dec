import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { devices } from './resource.ts'
import { keyOf, withCode } from './shown.ts'
import { codeEnd } from './store.ts'

type RollCode = (typeof devices)['actions']['roll_code']

/** Groups of signs of a code that is good for hours: nobody shall guess it in that time. */
const LONG_GROUPS = 3
const HOUR_MINUTES = 60

/** Gives a device another code, good for ten minutes or for the hours that are asked for. */
export async function rollCode(
  { devices, deviceCodes }: Dependencies,
  call: Call<RollCode>,
): Promise<Output<RollCode>> {
  const { code_hours } = call.body
  const isLong = code_hours !== undefined
  const code = deviceCodes.create(isLong ? LONG_GROUPS : undefined)
  const end = codeEnd(isLong ? code_hours * HOUR_MINUTES : undefined)
  return withCode(deviceCodes, found(await devices.roll(keyOf(call), deviceCodes.hashOf(code), end)), code)
}
