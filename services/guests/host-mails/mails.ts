import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { zoneOf } from '@gatehouse/proto/declaring/time-zones.ts'
import { languageOf, localeOf, speakerOf, textsOf } from '@gatehouse/proto/pages/languages.ts'
import { mailDocument, mailLogoOf } from '@gatehouse/proto/pages/mail-layout.ts'
import { html } from '@gatehouse/proto/pages/markup.ts'
import type { StoredEvent } from '../events/store.ts'
import type { StoredGuest } from '../guests/stored-guest.ts'
import type { accounts } from '../permissions.ts'
import type en from './languages/en.json'
import type { HostMail } from './resource.ts'

const languages = await textsOf<keyof typeof en>((tag) => import(`./languages/${tag}.json`, { with: { type: 'json' } }))

const DATE = { year: 'numeric', month: 'long', day: 'numeric' } as const
/** With its zone, since hosts may be elsewhere. */
const TIME = { ...DATE, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const

/** What an e-mail shows of an account. */
type AccountLook = Output<(typeof accounts)['actions']['look']>

/** Returns what e-mails show of an account; nothing while the sso service does not answer. */
export async function lookOf(client: Client<typeof accounts>, account_id: string): Promise<AccountLook> {
  const unknown = { color: null, name: null, reply_to_email: null, logo_url: null }
  return client.look({ body: { account_id } }).catch(() => unknown)
}

/** The e-mail that tells a host, in the event's language, that a guest has arrived. */
export function hostMailOf(guest: StoredGuest, event: StoredEvent, account: AccountLook): HostMail {
  const { title, locale, organizer, timezone } = event
  const { first_name, last_name, company_name, email, uid, checked_in_at } = guest
  const language = languageOf([], undefined, locale)
  const say = speakerOf(languages[language])
  const own = [first_name, last_name].filter(Boolean).join(' ')
  const name = own || company_name || email || uid
  const withCompany = own && company_name ? `${own} (${company_name})` : name
  const time = new Intl.DateTimeFormat(localeOf(language), { ...TIME, timeZone: zoneOf(timezone) ?? 'UTC' }).format(
    checked_in_at,
  )
  const subject = say('arrived', { guest: name })
  const text = say('arrived_text', { guest: withCompany, title, time })
  const from_name = organizer || account.name || title
  const look = { colour: account.color, logo: mailLogoOf(account.logo_url) }
  const content = html`${text.split('\n\n').map((each) => html`<p>${each}</p>\n`)}`
  return {
    to: guest.host_email ?? '',
    subject,
    text: `${text}\n`,
    html: mailDocument({ ...look, name: from_name, language }, { title: subject, content }),
    from_name,
    reply_to: event.reply_to_email || (account.reply_to_email ?? null),
  }
}
