import { type HtmlPage, type PageOptions, page } from '@gatehouse/proto/pages/layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import { datesOf, type ShownEvent } from '../invitation-pages/dates.ts'
import type { InvitationPageContext, InvitationPageText } from '../invitation-pages/languages.ts'
import { alert, input } from '../registrations/fields.ts'
import type { FormField } from '../registrations/form.ts'
import { type Ticket, ticketMarkup } from '../registrations/ticket.ts'

/** What a page shows in place of the form. */
interface Said {
  says: Extract<InvitationPageText, `register_${string}`>
  /** A time of which the sentence speaks. */
  at?: Date
  email?: string
  /** The path for asking for the QR code again; none if no e-mail brings it. */
  again?: string
  status: number
}

/** The form by which anybody registers. */
export function formPage(
  context: InvitationPageContext,
  event: ShownEvent,
  { path, fields, status }: { path: string; fields: FormField[]; status: number },
): HtmlPage {
  const { say } = context
  return eventPage(
    context,
    event,
    html`${alert(context, fields)}
<form method="post" action="${path}" novalidate>
${fields.map((field) => input(context, field))}
<button type="submit">${say('register')}</button>
</form>`,
    { status },
  )
}

/** A sentence about a registration. */
export function saidPage(
  context: InvitationPageContext,
  event: ShownEvent,
  { says, at, email = '', again, status }: Said,
): HtmlPage {
  const date = at ? datesOf(context.language, { ...event, start_date: at, end_date: null }) : ''
  const text = context.say(says, { date, email })
  const content = html`<p class="notice" role="status">${text}</p>
${again !== undefined && againForm(context, { path: again, email, isAsked: says === 'register_sent' })}
${again === undefined && lost(context, says)}`
  return eventPage(context, event, content, { status })
}

/** Whom to ask for a lost QR code where no e-mail can bring it again. */
function lost({ say }: InvitationPageContext, says: Said['says']): Markup | false {
  if (says === 'register_already') return html`<p>${say('register_lost')}</p>`
  return says === 'register_sent' && html`<p><strong>${say('registered_before')}</strong> ${say('register_lost')}</p>`
}

/** The form by which a registered guest is sent the QR code again. It asks whether somebody is one where the page must not say so. */
function againForm(
  { say }: InvitationPageContext,
  { path, email, isAsked }: { path: string; email: string; isAsked: boolean },
): Markup {
  return html`${isAsked && html`<p><strong>${say('registered_before')}</strong></p>`}
<form method="post" action="${path}">
<input type="hidden" name="email" value="${email}">
<button type="submit" name="step" value="send_again"${isAsked && html` class="second"`}>${say('send_qrcode_again')}</button>
</form>`
}

/** Where a registration stands, with the form that confirms or cancels it; none without a path. */
export function standingPage(
  context: InvitationPageContext,
  {
    registration,
    event,
    path,
    ticket,
    status,
  }: {
    registration: StoredInvitation
    event: ShownEvent
    path: string | null
    ticket: Ticket | null
    status: number
  },
): HtmlPage {
  const { say } = context
  const text = standOf(registration)
  return eventPage(
    context,
    event,
    html`<p class="notice${text === 'registration_done' ? ' done' : ''}" role="status">${say(text, { title: event.title })}</p>
${ticket ? ticketMarkup(ticket, say, mailedOf(context, registration)) : undefined}
${path !== null && answerForm(context, text, path)}
${text === 'registration_cancelled' && html`<p><a href="/register/${registration.event_id}/${registration.guest_category_id}">${say('register_again')}</a></p>`}`,
    {
      status,
      images: ticket !== null,
      ...(path !== null && { foot: html`<a href="${path}/unsubscribe">${say('unsubscribe')}</a>` }),
    },
  )
}

/** The page of an address that belongs to no guest category. */
export function noPage(context: InvitationPageContext): HtmlPage {
  const { say } = context
  return page(context, say('nothing'), html`<p>${say('register_nothing')}</p>`, { status: 404, problem: true })
}

function answerForm(
  { say }: InvitationPageContext,
  text: ReturnType<typeof standOf>,
  path: string,
): Markup | undefined {
  if (text === 'confirm_text')
    return html`<form method="post" action="${path}"><button type="submit" name="answer" value="accepted">${say('confirm')}</button></form>`
  if (text !== 'registration_done' && text !== 'registration_waits') return undefined
  return html`<form method="post" action="${path}"><button type="submit" name="answer" value="declined" class="second">${say('cancel_registration')}</button></form>`
}

/** Whether the QR code goes to the registered address too; if not, how to keep it. A stranger must not learn from it who has unsubscribed, so it does not ask for that. */
function mailedOf({ say }: InvitationPageContext, { email, confirmed_at, confirmation_due }: StoredInvitation): string {
  if (confirmed_at) return say('qrcode_sent', { email })
  return confirmation_due ? say('qrcode_coming', { email }) : say('keep_qrcode')
}

function standOf({ answer, registration_state }: StoredInvitation) {
  if (registration_state === 'unconfirmed') return 'confirm_text'
  if (registration_state === 'rejected') return 'refused'
  if (answer !== 'accepted') return 'registration_cancelled'
  return registration_state === 'pending' ? 'registration_waits' : 'registration_done'
}

/** A page about an event: its title, dates and place. */
function eventPage(
  context: InvitationPageContext,
  event: ShownEvent,
  content: Markup,
  { status, images = false, foot }: Pick<PageOptions, 'images' | 'foot'> & { status: number },
): HtmlPage {
  const dates = datesOf(context.language, event)
  return page(
    context,
    event.title,
    html`${dates !== '' && html`<p class="dates">${dates}</p>`}
${event.location !== null && html`<p>${event.location}</p>`}
${content}`,
    { status, problem: status !== 200, images, ...(foot && { foot }) },
  )
}
