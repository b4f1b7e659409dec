import { type HtmlPage, page } from '@gatehouse/proto/pages/layout.ts'
import { html } from '@gatehouse/proto/pages/markup.ts'
import type { GivenAnswer } from '../invitations/store.ts'
import type { Look } from './languages/languages.ts'

/** An event as an invitation shows it. */
export interface ShownEvent {
  title: string
  start_date: Date | null
  end_date: Date | null
  timezone: string
}

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
  /** Whether it can be answered here. */
  isOpen: boolean
  /** Whether the answer can not be changed any more. */
  isFinal: boolean
  qrcode_url?: string | null
  status?: number
}

/** The event, who invites to it, and the answer. */
export function invitationPage(look: Look, shown: ShownInvitation): HtmlPage {
  const { say } = look
  const { event, sender, path, answer, isOpen, isFinal, qrcode_url, status = 200 } = shown
  const dates = datesOf(look, event)
  return page(
    look,
    event.title,
    html`${dates !== '' && html`<p>${dates}</p>`}
${sender ? html`<p>${say('invites', { partner: sender.name })}</p>` : html`<p class="notice">${say('withdrawn')}</p>`}
${sender && !isOpen && html`<p>${say('no_answer')} ${sender.reply_to ? say('answer_to', { address: sender.reply_to }) : say('answer', { partner: sender.name })}</p>`}
${answer !== null && html`<p class="notice" role="status">${say(answer)}</p>`}
${typeof qrcode_url === 'string' && html`<p><a href="${qrcode_url}">${say('qrcode')}</a></p>`}
${isFinal && html`<p>${say('final')}</p>`}
${
  isOpen &&
  !isFinal &&
  html`<form method="post" action="${path}">
${answer !== 'accepted' && html`<button type="submit" name="answer" value="accepted">${say('accept')}</button>`}
${answer !== 'declined' && html`<button type="submit" name="answer" value="declined" class="second">${say('decline')}</button>`}
</form>`
}
<p class="hint"><a href="${path}/unsubscribe">${say('unsubscribe')}</a></p>`,
    { status, problem: status !== 200 },
  )
}

/** Asks whether a recipient wants to unsubscribe. */
export function unsubscribePage(look: Look, title: string, action: string): HtmlPage {
  const { say } = look
  return page(
    look,
    say('unsubscribe'),
    html`<p>${say('unsubscribe_text', { title })}</p>
<form method="post" action="${action}">
<button type="submit">${say('unsubscribe')}</button>
</form>`,
  )
}

/** Says that a recipient has unsubscribed. */
export function unsubscribedPage(look: Look, title: string): HtmlPage {
  const { say } = look
  return page(look, say('unsubscribed'), html`<p role="status">${say('unsubscribed_text', { title })}</p>`)
}

/** The page of an address which belongs to no invitation. */
export function nothingPage(look: Look): HtmlPage {
  const { say } = look
  return page(look, say('nothing'), html`<p>${say('nothing_text')}</p>`, { status: 404, problem: true })
}

function datesOf({ language }: Look, { start_date, end_date, timezone }: ShownEvent): string {
  if (!start_date) return ''
  const format = formatOf(language, timezone)
  return end_date && end_date >= start_date ? format.formatRange(start_date, end_date) : format.format(start_date)
}

/** An event's time zone is any text: an unknown one is UTC. */
function formatOf(language: string, timeZone: string): Intl.DateTimeFormat {
  const options = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone, timeZoneName: 'short' })
  } catch {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC', timeZoneName: 'short' })
  }
}
