import type { Purpose } from '@gatehouse/badges/links'
import { requesterFor } from '@gatehouse/proto/bus/client.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'
import type { EncodedAttachment } from '../../pages/confirmations/resource.ts'
import { badges, qrCodes } from '../../permissions.ts'

/** The `cid` under which the HTML part of an e-mail shows a QR code. */
export const QR_CODE = 'qrcode'

/** Returns the QR code (PNG) or the badge (PDF) of a guest. Rejects if it is not there yet, or the badges service does not answer. */
export async function guestFile(
  { bus, publicLinks }: DeliveryDependencies,
  purpose: Purpose,
  event_id: string,
  guest_id: string,
): Promise<Uint8Array> {
  const params = { event_id, guest_id, secret: publicLinks.secretOf(purpose, event_id, guest_id) }
  const request = purpose === 'badge' ? requesterFor(bus, badges, 'file') : requesterFor(bus, qrCodes, 'read')
  return (await request({ params })).body
}

/** Returns a file as an e-mail has it; none without content. */
export function attached(
  filename: string,
  content_type: string,
  content: Uint8Array | string | null | undefined,
  cid?: string,
): EncodedAttachment[] {
  if (content === null || content === undefined) return []
  return [{ filename, content_type, content: Buffer.from(content).toString('base64'), ...(cid && { cid }) }]
}
