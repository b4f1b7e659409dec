import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { languageOf, localeOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { mailButton, mailDocument } from '@gatehouse/proto/pages/mail-layout.ts'
import { html } from '@gatehouse/proto/pages/markup.ts'
import { inLine } from '../../delivery/sending/mails.ts'
import type { InvitationMail } from '../../delivery/sending/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { eventTerms, mailBrandingOf } from '../../event-terms.ts'
import { datesOf } from '../../pages/invitation-pages/dates.ts'
import { languages as invitationLanguages } from '../../pages/invitation-pages/languages.ts'
import { languages } from '../../pages/partner-pages/languages.ts'
import type { IssuedToken } from '../partner-access-tokens/issue.ts'
import type { StoredCampaign } from '../partner-campaigns/store.ts'
import type { StoredPartner } from '../partners/store.ts'

interface LinkToSend {
  partner: StoredPartner
  campaign: StoredCampaign
  issued: IssuedToken
  /** Where it goes, normalized. */
  address: string
}

/** Returns the e-mail that brings a partner the link to its page, in the partner's language, or else that of the event. */
export async function pageLinkMailOf(
  dependencies: Dependencies,
  { partner, campaign, issued, address }: LinkToSend,
): Promise<Omit<InvitationMail, '_id'>> {
  const { formerRecipients, links } = dependencies
  const { event_id } = campaign
  // By this the link in the e-mail unsubscribes.
  const recipient = {
    _id: derivedId('page link', campaign._id, address),
    event_id,
    address,
    locale: partner.locale ?? null,
  }
  await formerRecipients.addOne(recipient)
  const event = await eventTerms(dependencies, event_id)
  const language = languageOf([partner.locale ?? undefined], undefined, event.locale)
  const say = speakerOf(languages[language])
  const title = inLine(event.title)
  const organizer = inLine(event.organizer) || title
  const until = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  const said = {
    subject: say('mail_subject', { event: title }),
    hello: say('mail_hello', { partner: inLine(partner.name) }),
    text: say('mail_text', { event: title }),
    dates: datesOf(language, event),
    location: inLine(event.location),
    open: say('mail_open'),
    secret: say('mail_secret', { date: until.format(issued.expires_at) }),
    unsubscribe: speakerOf(invitationLanguages[language])('unsubscribe'),
  }
  const unsubscribe_link = links.ofUnsubscribing(event_id, recipient._id)
  const paragraphs = [
    ...[said.hello, said.text, said.dates, said.location, `${said.open}\n${issued.page_url}`, said.secret],
    `${said.unsubscribe}\n${unsubscribe_link}`,
  ]
  return {
    to: address,
    subject: said.subject,
    text: `${paragraphs.filter(Boolean).join('\n\n')}\n`,
    html: mailDocument(mailBrandingOf(event, language), {
      title: said.subject,
      content: html`<p>${said.hello}</p>
<p>${said.text}</p>
${said.dates !== '' && html`<p>${said.dates}</p>`}
${said.location !== '' && html`<p>${said.location}</p>`}
<p>${mailButton(event.colour, issued.page_url, html`${said.open}`)}</p>
<p>${said.secret}</p>
`,
      foot: html`<a href="${unsubscribe_link}">${said.unsubscribe}</a>`,
    }),
    sender_name: organizer,
    reply_to: campaign.reply_to ?? event.reply_to_email,
    link: issued.page_url,
    unsubscribe_link,
  }
}
