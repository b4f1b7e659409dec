import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import { type MailBranding, mailLogoOf } from '@gatehouse/proto/pages/mail-layout.ts'
import type { Dependencies } from './dependencies.ts'
import type { events } from './permissions.ts'

/** What pages and e-mails say of an event, with its account's branding. */
export type EventTerms = Output<(typeof events)['actions']['campaign_terms']> & {
  colour: string | null
  logo: string | null
  /** The address of the logo for e-mails. */
  mail_logo: string | null
}

/**
 * Returns what pages and e-mails say of an event. Where it names no organizer and no address for answers, they are its account's; which are
 * missing while the sso service does not answer.
 */
export async function eventTerms(
  { eventClient, accountClient }: Pick<Dependencies, 'eventClient' | 'accountClient'>,
  event_id: string,
): Promise<EventTerms> {
  const event = await eventClient.campaign_terms({ body: { event_id } })
  const unknown = { color: null, name: null, reply_to_email: null, logo_url: null }
  const account = await accountClient.look({ body: { account_id: event.account_id } }).catch(() => unknown)
  return {
    ...event,
    organizer: event.organizer || (account.name ?? null),
    reply_to_email: event.reply_to_email || (account.reply_to_email ?? null),
    colour: account.color,
    logo: account.logo_url ? new URL(account.logo_url).pathname : null,
    mail_logo: mailLogoOf(account.logo_url),
  }
}

/** What e-mails show of an event's organizer. */
export type MailTerms = Pick<EventTerms, 'organizer' | 'title' | 'colour' | 'mail_logo' | 'locale'>

/** Returns whose e-mail one of an event is, in a language; by default that of the event. */
export function mailBrandingOf(
  { organizer, title, colour, mail_logo: logo, locale }: MailTerms,
  language: string = languageOf([], undefined, locale),
): MailBranding {
  return { name: organizer || title, colour, logo, language }
}
