import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from './dependencies.ts'
import type { events } from './permissions.ts'

/** What pages and e-mails say of an event, with its account's branding. */
export type EventTerms = Output<(typeof events)['actions']['campaign_terms']> & {
  colour: string | null
  logo: string | null
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
  }
}
