import type { Guest } from '@gatehouse/guests/resources'
import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { EncodedAttachment } from '../../pages/confirmations/resource.ts'
import { INVITATIONS } from '../invitation-types/markup.ts'
import { NO_INVITATION } from '../invitations/links.ts'
import { requireSent } from '../test-sends/outcome.ts'
import { addressErrors } from '../test-sends/send.ts'
import { attachmentsOf, contentOf, contextOf, type MailingContent } from './content.ts'
import { guestOf } from './preview.ts'
import { exampleReminder } from './reminders.ts'
import type { mailings } from './resource.ts'
import type { StoredMailing } from './store.ts'
import { textErrors } from './validation.ts'

type TestSend = (typeof mailings)['actions']['test_send']

/** Sends an e-mail of a mailing, as it is stored or as it is typed, to whoever wants to see it. */
export async function test_send(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept, caller, newId }: Call<TestSend>,
): Promise<Output<TestSend>> {
  const { mailings, testSends, links, mailClient } = dependencies
  const { account_id } = required(caller)
  const stored = found(await mailings.get(event_id, id))
  const ofInvitations = stored.audience.invitation_type_id ? INVITATIONS : null
  const [{ guest, errors }, address, texts] = await Promise.all([
    guestOf(dependencies, event_id, given.guest_id),
    addressErrors(dependencies, event_id, given.email),
    textErrors(dependencies, event_id, given, ofInvitations),
  ])
  const { email, ...typed } = await accept({ ...errors, ...address, ...texts })
  const mailing = {
    ...stored,
    subject: typed.subject ?? stored.subject,
    message: typed.message ?? stored.message,
    sender_name: typed.sender_name ?? stored.sender_name,
  }
  await testSends.count(account_id)
  const unsubscribe_link = links.ofUnsubscribing(event_id, NO_INVITATION)
  const content = mailing.audience.invitation_type_id
    ? { ...(await exampleReminder(dependencies, mailing, email)), attachments: [] }
    : await exampleContent(dependencies, mailing, guest, unsubscribe_link)
  const { attachments, text, html, sender_name, reply_to } = content
  const subject = `[Test] ${content.subject}`
  const result = await mailClient.hand_over({
    body: {
      ...{ _id: newId(), to: normalized(email) ?? email, subject, text, html, sender_name, reply_to },
      ...{ link: links.of(event_id, NO_INVITATION), unsubscribe_link, attachments },
    },
  })
  requireSent(result)
  return { email, subject }
}

/** What an e-mail of a mailing to guests says, with its files. */
async function exampleContent(
  dependencies: Dependencies,
  mailing: StoredMailing,
  guest: Guest | null,
  unsubscribe_link: string,
): Promise<MailingContent & { attachments: EncodedAttachment[] }> {
  const { event_id, created_at } = mailing
  const context = await contextOf(dependencies, event_id)
  const content = contentOf(dependencies, context, mailing, { guest, unsubscribe_link, qrCode: 'attached' })
  const example = { _id: NO_INVITATION, event_id, created_at }
  const attachments = await attachmentsOf(dependencies, content, guest ?? example, guest === null)
  return { ...content, attachments }
}
