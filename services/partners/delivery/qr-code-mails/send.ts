import type { Guest } from '@gatehouse/guests/resources'
import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { type MessageCode, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type Refusal, refusalsOf } from '../refusals.ts'
import { requireSent } from '../test-sends/outcome.ts'
import { qrCodeMailOf } from './mail.ts'
import type { qrCodeMails } from './resource.ts'

const OBSTACLES: Record<Refusal, MessageCode> = {
  blocked: 'guest_blocked',
  unsubscribed: 'guest_unsubscribed',
  bounced: 'guest_suppressed',
  complained: 'guest_suppressed',
}

type Send = (typeof qrCodeMails)['actions']['send']

/** Sends a guest the QR code. */
export async function send(
  dependencies: Dependencies,
  { params: { event_id, id }, newId }: Call<Send>,
): Promise<Output<Send>> {
  const { guestClient, formerRecipients, mailClient, log } = dependencies
  const guest = await guestClient.read({ params: { event_id, id } })
  const address = await addressOf(dependencies, guest)
  // By this the link in the e-mail unsubscribes.
  const recipient = { _id: derivedId('QR code of guest', guest._id, address), event_id, address, locale: null }
  await formerRecipients.addOne(recipient)
  const mail = await qrCodeMailOf(dependencies, guest, recipient)
  requireSent(await mailClient.hand_over({ body: { ...mail, _id: newId() } }))
  // The e-mail is on its way: whoever repeated the request would send another one.
  await guestClient
    .note_mailed({ body: { event_id, ids: [guest._id], at: new Date() } })
    .catch((error) => log.warn({ err: error, event_id }, 'it is not stored with a guest that an e-mail was sent'))
  return { email: address, subject: mail.subject }
}

/** The address of a guest, normalized. Throws `conflict` if it gets no e-mails. */
async function addressOf(dependencies: Dependencies, { event_id, email }: Guest): Promise<string> {
  const address = email ? normalized(email) : undefined
  if (address === undefined) throw conflict(messageOf('guest_without_address'))
  const refusal = (await refusalsOf(dependencies, event_id, [address])).get(address)
  if (refusal) throw conflict(messageOf(OBSTACLES[refusal]))
  return address
}
