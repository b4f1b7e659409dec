import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { eventTerms } from '../../event-terms.ts'
import { exampleOf } from '../invitation-types/preview.ts'
import type { InvitationType } from '../invitation-types/resource.ts'
import { errorsOf } from '../invitation-types/validation.ts'
import { NO_INVITATION } from '../invitations/links.ts'
import { refusalsOf } from '../refusals.ts'
import { requireSent } from './outcome.ts'
import type { testSends } from './resource.ts'

type Send = (typeof testSends)['actions']['send']

/** Sends an invitation type's e-mail with example values, as it is stored or as it is typed. */
export async function send(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept, caller, newId }: Call<Send>,
): Promise<Output<Send>> {
  const { types, testSends, links, mailClient } = dependencies
  const { account_id } = required(caller)
  const type = found(await types.get(event_id, id))
  const errors = await addressErrors(dependencies, event_id, given.email)
  const { email, ...typed } = await accept({ ...errors, ...(await errorsOf(dependencies, event_id, textsOf(given))) })
  await testSends.count(account_id)
  const event = await eventTerms(dependencies, event_id)
  const link = links.of(event_id, NO_INVITATION)
  const content = exampleOf(dependencies, { ...type, ...textsOf(typed) }, event, { email })
  const subject = `[Test] ${content.subject}`
  const result = await mailClient.hand_over({
    body: {
      ...content,
      _id: newId(),
      to: normalized(email) ?? email,
      subject,
      reply_to: event.reply_to_email,
      link,
      unsubscribe_link: links.ofUnsubscribing(event_id, NO_INVITATION),
    },
  })
  requireSent(result)
  return { email, subject }
}

/** The texts that are typed of an e-mail. */
function textsOf({ subject, message, sender_name }: Texts): Texts {
  return {
    ...(subject !== undefined && { subject }),
    ...(message !== undefined && { message }),
    ...(sender_name !== undefined && { sender_name }),
  }
}

type Texts = Partial<Pick<InvitationType, 'subject' | 'message' | 'sender_name'>>

/** What is wrong with the address of a test e-mail. */
export async function addressErrors(
  dependencies: Dependencies,
  event_id: string,
  email: string | undefined,
): Promise<FieldErrors> {
  if (email === undefined) return {}
  const address = normalized(email)
  if (address === undefined) return { email: [messageOf('invalid_email')] }
  const refusal = (await refusalsOf(dependencies, event_id, [address])).get(address)
  if (!refusal) return {}
  return { email: [messageOf(refusal === 'blocked' || refusal === 'unsubscribed' ? refusal : 'suppressed')] }
}
