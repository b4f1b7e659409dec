import { languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { mailButton, mailDocument } from '@gatehouse/proto/pages/mail-layout.ts'
import { html } from '@gatehouse/proto/pages/markup.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import { inLine } from '../../delivery/sending/mails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { eventTerms, mailBrandingOf } from '../../event-terms.ts'
import type { UnleasedConfirmation } from '../confirmations/resource.ts'
import { languages } from '../invitation-pages/languages.ts'

/** Returns the e-mail by whose link the owner of an address confirms a registration. It holds nothing that a stranger has typed. */
export async function verificationOf(
  dependencies: Dependencies,
  registration: StoredInvitation,
): Promise<UnleasedConfirmation> {
  const { links } = dependencies
  const { _id, event_id, address: to, confirmation_since, confirmation_traceparent } = registration
  const event = await eventTerms(dependencies, event_id)
  const language = languageOf([registration.registration?.language], undefined, event.locale)
  const say = speakerOf(languages[language])
  const title = inLine(event.title)
  const subject = say('confirm_subject', { title })
  const [button, note, unsubscribe] = [say('confirm'), say('confirm_note'), say('unsubscribe')]
  const [link, unsubscribe_link] = [links.of(event_id, _id), links.ofUnsubscribing(event_id, _id)]
  return {
    to,
    subject,
    text: `${[subject, `${button}\n${link}`, note, `${unsubscribe}\n${unsubscribe_link}`].join('\n\n')}\n`,
    html: mailDocument(mailBrandingOf(event, language), {
      title: subject,
      content: html`<p><strong>${subject}</strong></p>
<p>${mailButton(event.colour, link, html`${button}`)}</p>
<p>${note}</p>
`,
      foot: html`<a href="${unsubscribe_link}">${unsubscribe}</a>`,
    }),
    sender_name: inLine(event.organizer) || title,
    reply_to: event.reply_to_email,
    unsubscribe_link,
    attachments: [],
    message_id: `${_id}.${confirmation_since?.getTime() ?? 0}`,
    ...(confirmation_traceparent && { traceparent: confirmation_traceparent }),
  }
}
