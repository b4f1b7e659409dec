import { AccountMoving, Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import type { devices } from './resource.ts'

type Exchange = (typeof devices)['actions']['exchange']

/** One answer to all of these, which does not say what was wrong. */
const WRONG_CODE = 'The code is not valid: it is wrong, used or too old'

/** Exchanges a code for the device's token. */
export async function exchange(
  { devices, deviceCodes, bus, fence }: Dependencies,
  { params, newId }: Call<Exchange>,
): Promise<Output<Exchange>> {
  // The same for each try under an Idempotency-Key: one whose answer was lost gets a token of its own.
  const exchange_id = newId()
  const device = await devices.findByCode(deviceCodes.hashOf(params.code))
  if (device && fence.stateOf(device.account_id) !== 'home') throw new AccountMoving()
  const isFree = device && (device.exchange_id ?? exchange_id) === exchange_id
  if (!isFree) throw new Fault('unauthorized', WRONG_CODE)
  const token = newToken('gh_device_')
  const enrolled = devices.enrol(device, exchange_id, hashOfToken(token))
  // Only where a token ends: guesses and first tokens must not make gateways forget those that they know.
  const stored = await (device.token_hash ? bus.announcing(topics.tokens, 'exchanged', enrolled) : enrolled)
  if (!stored) throw new Fault('unauthorized', WRONG_CODE)
  return { ...stored, token, server_time: new Date() }
}
