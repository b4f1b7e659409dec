import { type Language, localeOf, speakerOf, textsOf } from '@gatehouse/proto/pages/languages.ts'
import { type MailBranding, mailButton, mailDocument } from '@gatehouse/proto/pages/mail-layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import type { Mail } from '@gatehouse/proto/process/mail.ts'
import { languages as pages } from '../sign-in/pages/languages.ts'
import type en from './languages/en.json'

/** How the e-mails of an account look. */
export type MailLook = Pick<MailBranding, 'colour' | 'logo'>

interface Recipient {
  to: string
  account: string
  look: MailLook
}

type CredentialMail = 'code' | 'invitation' | 'staff'

const languages = await textsOf<keyof typeof en>((tag) => import(`./languages/${tag}.json`, { with: { type: 'json' } }))

/** The e-mail with a one-time code, in a language. */
export function codeMail(
  language: Language,
  { to, look, ...places }: Recipient & { code: string; minutes: number },
): Mail {
  const box =
    'display:inline-block;padding:8px 16px;border:1px solid #d5d9df;border-radius:8px;font-size:28px;letter-spacing:4px'
  const code = html`<strong style="${box}">${places.code}</strong>`
  return mailOf(language, 'code', { to, look, places, special: [places.code, code] })
}

/** The e-mail with the link for choosing a password, to a contact or a staff member, in a language. */
export function linkMail(
  language: Language,
  kind: 'invitation' | 'staff',
  { to, look, account, url, expires_at }: Recipient & { url: string; expires_at: Date },
): Mail {
  const until = `${new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(expires_at)} UTC`
  // Both lead to the page of this heading; the subject would be long on a button.
  const button = mailButton(look.colour, url, html`${speakerOf(pages[language])('choose_password')}`)
  return mailOf(language, kind, { to, look, places: { account, url, until }, special: [url, button] })
}

interface Parts {
  to: string
  look: MailLook
  places: { account: string } & Record<string, string | number>
  /** The paragraph that is more than text in HTML, and what it is there. */
  special: readonly [string, Markup]
}

function mailOf(language: Language, kind: CredentialMail, { to, look, places, special: [plain, drawn] }: Parts): Mail {
  const say = speakerOf(languages[language])
  const subject = say(kind, places)
  const text = `${say(`${kind}_text`, places)}\n\n${say('ignore')}\n`
  const paragraphs = say(`${kind}_text`, places).split('\n\n')
  const content = html`${paragraphs.map((each) => html`<p>${each === plain ? drawn : each}</p>\n`)}`
  const branding = { ...look, name: places.account, language }
  return {
    to,
    from_name: places.account,
    subject,
    text,
    html: mailDocument(branding, { title: subject, content, foot: html`${say('ignore')}` }),
  }
}
