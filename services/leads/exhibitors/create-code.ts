import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { CODE_DAYS, type exhibitors } from './resource.ts'

type CreateCode = typeof exhibitors.actions.create_code

/** The web app that takes the code. */
const PAGE = 'leads'
const DAY_MS = 86_400_000

/** Creates a code for a phone of an exhibitor's stand. */
export async function create_code(
  { exhibitors, phoneCodes }: Dependencies,
  { params: { event_id, id } }: Call<CreateCode>,
): Promise<Output<CreateCode>> {
  const code = phoneCodes.create()
  const code_expires_at = new Date(Date.now() + CODE_DAYS * DAY_MS)
  const exhibitor = found(
    await exhibitors.addPhone(event_id, id, { code_hash: phoneCodes.hashOf(code), code_expires_at }),
  )
  return {
    ...exhibitor,
    code,
    code_expires_at,
    url: phoneCodes.addressOf(code, PAGE),
    qr_code: await phoneCodes.qrCodeOf(code, PAGE),
  }
}
