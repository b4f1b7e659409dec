import { zoneOf } from '@gatehouse/proto/declaring/time-zones.ts'
import { languageOf, localeOf, speakerOf, textsOf } from '@gatehouse/proto/pages/languages.ts'
import type { StoredEvent } from '../events/store.ts'
import type { StoredGuest } from '../guests/stored-guest.ts'
import type en from './languages/en.json'
import type { HostMail } from './resource.ts'

const languages = await textsOf<keyof typeof en>((tag) => import(`./languages/${tag}.json`, { with: { type: 'json' } }))

/** The e-mail that tells a host, in the event's language, that a guest has arrived. */
export function hostMailOf(guest: StoredGuest, event: StoredEvent): HostMail {
  const { title, locale, organizer, timezone } = event
  const { first_name, last_name, company_name, email, uid, checked_in_at } = guest
  const language = languageOf([], undefined, locale)
  const say = speakerOf(languages[language])
  const own = [first_name, last_name].filter(Boolean).join(' ')
  const name = own || company_name || email || uid
  const withCompany = own && company_name ? `${own} (${company_name})` : name
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: zoneOf(timezone) ?? 'UTC' } as const
  const time = new Intl.DateTimeFormat(localeOf(language), format).format(checked_in_at)
  return {
    to: guest.host_email ?? '',
    subject: say('arrived', { guest: name }),
    text: `${say('arrived_text', { guest: withCompany, title, time })}\n`,
    from_name: organizer || title,
  }
}
