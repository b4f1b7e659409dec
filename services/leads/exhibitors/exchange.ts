import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { Dependencies } from '../dependencies.ts'
import { CODE_DAYS, type exhibitors } from './resource.ts'

type Exchange = typeof exhibitors.actions.exchange

/** Exchanges a code for the access token of a phone. */
export async function exchange(
  { exhibitors, phoneCodes }: Dependencies,
  { params, newId }: Call<Exchange>,
): Promise<Output<Exchange>> {
  const access_token = newToken('gh_exhibitor_')
  // `newId` is the same for each try under an Idempotency-Key: one whose answer was lost gets a token of its own.
  const exhibitor = await exhibitors.enrolPhone(
    phoneCodes.hashOf(params.phone_code),
    newId(),
    hashOfToken(access_token),
  )
  // One answer to all of these, which does not say what was wrong.
  if (!exhibitor)
    throw new Fault('unauthorized', `The code is not valid: it is wrong, used or older than ${CODE_DAYS} days`)
  return { ...exhibitor, access_token }
}
