import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { toAnswer, type WebRequest, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { isErased } from '@gatehouse/proto/privacy/blanking.ts'
import type { FormerRecipient } from '../../delivery/former-recipients/store.ts'
import { isDelivery, isOfPage, type StoredInvitation } from '../../delivery/invitations/store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { eventTerms } from '../../event-terms.ts'
import { unsubscribe } from '../../feedback/unsubscriptions/unsubscribe.ts'
import { neutralContext, pageContextOf } from '../page-context.ts'
import { registrationPage } from '../registration-pages/registration.ts'
import { answeredPage, shownPage } from './answer.ts'
import { languages } from './languages.ts'
import { nothingPage, unsubscribedPage, unsubscribePage, withdrawnPage } from './pages.ts'
import type { invitationPages } from './resource.ts'

const PATH = /^\/rsvp\/(?<id>[0-9a-f]{24})\/(?<secret>[\w-]{43})(?<isUnsubscribing>\/unsubscribe)?$/

type LinkRecipient = StoredInvitation | FormerRecipient

/** Answers a request for a page of an invitation. A GET changes nothing: mail scanners open links. */
export async function handle(
  dependencies: Dependencies,
  { body }: Call<(typeof invitationPages)['actions']['handle']>,
): Promise<WebResponse> {
  return toAnswer(await pageOf(dependencies, body))
}

async function pageOf(dependencies: Dependencies, { method, url, headers, body }: WebRequest): Promise<HtmlPage> {
  const [path = '', search = ''] = url.split('?', 2)
  const acceptLanguage = headers.find(({ name }) => name === 'accept-language')?.value ?? undefined
  const { isUnsubscribing, ...link } = PATH.exec(path)?.groups ?? {}
  const asked = [new URLSearchParams(search).get('locale') ?? undefined]
  const recipient = await recipientOf(dependencies, link)
  if (!recipient) return nothingPage(neutralContext(asked, acceptLanguage, languages))
  const isPost = method === 'POST'
  if (isUnsubscribing && isPost) await unsubscribeRecipient(dependencies, recipient)
  const event = await eventTerms(dependencies, recipient.event_id)
  const language = languageOf(asked, acceptLanguage, recipient.locale ?? event.locale)
  const context = pageContextOf(event, language, languages)
  if (isUnsubscribing) {
    const isDone = isPost || (await hasUnsubscribed(dependencies, recipient))
    return isDone ? unsubscribedPage(context, event.title) : unsubscribePage(context, event.title, path)
  }
  if (isInvited(recipient) && isOfPage(recipient)) {
    const visit = { context, registration: recipient, event, path }
    return registrationPage(dependencies, visit, isPost ? new URLSearchParams(body ?? '') : undefined)
  }
  // Nobody can come to an archived event any more; unsubscribing stays possible.
  if (!isInvited(recipient) || event.archived) return withdrawnPage(context, event, path, isPost ? 409 : 200)
  const visit = { context, invitation: recipient, event, path }
  return isPost ? answeredPage(dependencies, visit, new URLSearchParams(body ?? '')) : shownPage(dependencies, visit)
}

/** The recipient of the invitation of a link, whose secret proves that the e-mail was there. */
async function recipientOf(
  { invitations, formerRecipients, ofMailings, links }: Dependencies,
  { id, secret }: Record<string, string | undefined>,
): Promise<LinkRecipient | null> {
  if (id === undefined || secret === undefined) return null
  const recipient =
    (await invitations.get(id)) ?? (await formerRecipients.get(id)) ?? (await ofMailings.invitations.get(id))
  // What is left of an erased recipient is nobody's.
  if (!recipient || isErased(recipient.address)) return null
  return links.isOf(secret, recipient.event_id, id) ? recipient : null
}

async function unsubscribeRecipient(dependencies: Dependencies, recipient: LinkRecipient): Promise<void> {
  if (isOfMailing(recipient)) await unsubscribe(dependencies.ofMailings, recipient)
  else if (isInvited(recipient) && !isOfPage(recipient)) await unsubscribe(dependencies, recipient)
  // The partner is deleted, or there was none: there is nothing left to count.
  else await dependencies.unsubscriptions.add(recipient.event_id, recipient.address)
}

async function hasUnsubscribed({ unsubscriptions }: Dependencies, recipient: LinkRecipient): Promise<boolean> {
  if (isInvited(recipient) && !isOfPage(recipient)) return recipient.state === 'unsubscribed'
  const { event_id, address } = recipient
  return (await unsubscriptions.among(event_id, [address])).has(address)
}

/** Whether a recipient has an invitation still: its partner is not deleted. */
function isInvited(recipient: LinkRecipient): recipient is StoredInvitation {
  return 'state' in recipient && !isDelivery(recipient)
}

/** Whether a recipient got a mailing: there is nothing to answer. */
function isOfMailing(recipient: LinkRecipient): recipient is StoredInvitation {
  return 'state' in recipient && isDelivery(recipient)
}
