import { type HtmlPage, page } from '@gatehouse/proto/pages/layout.ts'
import { html } from '@gatehouse/proto/pages/markup.ts'
import type { GivenAnswer, RegistrationState } from '../../delivery/invitations/store.ts'
import { alert, input } from '../registrations/fields.ts'
import type { FormField } from '../registrations/form.ts'
import { type Ticket, ticketMarkup } from '../registrations/ticket.ts'
import { datesOf, type ShownEvent } from './dates.ts'
import type { InvitationPageContext } from './languages.ts'

/** Who invites, and the address to which answers go. */
interface Sender {
  name: string
  reply_to: string | null
}

/** What the page of an invitation shows. */
interface ShownInvitation {
  event: ShownEvent
  /** Undefined if the invitation is withdrawn. */
  sender: Sender | undefined
  /** Of the page. */
  path: string
  answer: GivenAnswer | null
  registration_state: RegistrationState | undefined
  /** Whether it can be answered here: no answer is asked for, or none would lead to a guest. */
  openness: 'open' | 'not_asked' | 'closed'
  /** Of who accepts. */
  fields: FormField[]
  /** Whether the answer cannot be changed any more. */
  isFinal: boolean
  ticket?: Ticket | null
  status?: number
}

/** The event, who invites to it, and the answer. */
export function invitationPage(context: InvitationPageContext, shown: ShownInvitation): HtmlPage {
  const { say } = context
  const { event, sender, path, answer, registration_state, openness, fields, isFinal, ticket, status = 200 } = shown
  const dates = datesOf(context.language, event)
  // Who declined a withdrawn invitation has nothing to keep in mind.
  const isSaid = answer !== null && (sender !== undefined || answer === 'accepted')
  const isAnswerable = sender && openness === 'open' && !isFinal && registration_state !== 'rejected'
  return page(
    context,
    event.title,
    html`${dates !== '' && html`<p class="dates">${dates}</p>`}
${event.location !== null && html`<p>${event.location}</p>`}
${sender ? html`<p>${say('invites', { partner: sender.name })}</p>` : html`<p class="notice">${say('withdrawn')}</p>`}
${sender && openness === 'closed' && html`<p>${say('no_answer')} ${sender.reply_to ? say('answer_to', { address: sender.reply_to }) : say('answer', { partner: sender.name })}</p>`}
${sender && openness === 'not_asked' && html`<p>${say('not_asked')}</p>`}
${isSaid && html`<p class="notice${ticket ? ' done' : ''}" role="status">${say(standOf(answer, registration_state))}</p>`}
${ticket ? ticketMarkup(ticket, say) : undefined}
${isSaid && isFinal && html`<p>${say('final')}</p>`}
${
  isAnswerable &&
  html`${alert(context, fields)}
${answer === 'declined' && html`<p><strong>${say('changed_mind')}</strong></p>`}
<form method="post" action="${path}" novalidate>
${
  answer !== 'accepted' &&
  html`${fields.map((field) => input(context, field))}
<button type="submit" name="answer" value="accepted"${answer === 'declined' && html` class="second"`}>${say('accept')}</button>`
}
${answer !== 'declined' && html`<button type="submit" name="answer" value="declined" class="second">${say('decline')}</button>`}
</form>`
}`,
    {
      status,
      problem: status !== 200,
      images: Boolean(ticket),
      foot: html`<a href="${path}/unsubscribe">${say('unsubscribe')}</a>`,
    },
  )
}

/** The page of an invitation whose partner is deleted: its recipient can still unsubscribe. */
export function withdrawnPage(
  context: InvitationPageContext,
  event: ShownEvent,
  path: string,
  status: number,
): HtmlPage {
  const nothing = { sender: undefined, answer: null, registration_state: undefined, fields: [], isFinal: false }
  return invitationPage(context, { ...nothing, event, path, openness: 'closed', status })
}

/** The text that says where an answer stands. */
function standOf(
  answer: GivenAnswer,
  state: RegistrationState | undefined,
): 'accepted' | 'declined' | 'waits' | 'refused' {
  if (state === 'rejected') return 'refused'
  return answer === 'accepted' && state === 'pending' ? 'waits' : answer
}

/** Asks whether a recipient wants to unsubscribe. */
export function unsubscribePage(context: InvitationPageContext, title: string, action: string): HtmlPage {
  const { say } = context
  return page(
    context,
    say('unsubscribe'),
    html`<p>${say('unsubscribe_text', { title })}</p>
<form method="post" action="${action}">
<button type="submit">${say('unsubscribe')}</button>
</form>`,
  )
}

/** Says that a recipient has unsubscribed. */
export function unsubscribedPage(context: InvitationPageContext, title: string): HtmlPage {
  const { say } = context
  return page(context, say('unsubscribed'), html`<p role="status">${say('unsubscribed_text', { title })}</p>`)
}

/** The page of an address that belongs to no invitation. */
export function nothingPage(context: InvitationPageContext): HtmlPage {
  const { say } = context
  return page(context, say('nothing'), html`<p>${say('nothing_text')}</p>`, { status: 404, problem: true })
}
