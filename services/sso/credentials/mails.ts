import { type Language, localeOf, speakerOf, textsOf } from '@gatehouse/proto/pages/languages.ts'
import type { Mail } from '@gatehouse/proto/process/mail.ts'
import type en from './languages/en.json'

type CredentialMail = 'code' | 'invitation' | 'staff'

const languages = await textsOf<keyof typeof en>((tag) => import(`./languages/${tag}.json`, { with: { type: 'json' } }))

/** The e-mail with a one-time code, in a language. */
export function codeMail(
  language: Language,
  { to, ...places }: { to: string; account: string; code: string; minutes: number },
): Mail {
  return mailOf(language, 'code', to, places)
}

/** The e-mail with the link for choosing a password, to a contact or a staff member, in a language. */
export function linkMail(
  language: Language,
  kind: 'invitation' | 'staff',
  { to, account, url, expires_at }: { to: string; account: string; url: string; expires_at: Date },
): Mail {
  const until = `${new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(expires_at)} UTC`
  return mailOf(language, kind, to, { account, url, until })
}

function mailOf(
  language: Language,
  kind: CredentialMail,
  to: string,
  places: { account: string } & Record<string, string | number>,
): Mail {
  const say = speakerOf(languages[language])
  const text = `${say(`${kind}_text`, places)}\n\n${say('ignore')}\n`
  return { to, from_name: places.account, subject: say(kind, places), text }
}
