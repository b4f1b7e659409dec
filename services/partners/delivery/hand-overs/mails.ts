import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import { events } from '../../permissions.ts'
import { hasLink, htmlOf, readMessage, textOf } from '../invitation-types/markup.ts'
import { filled, type PlaceholderValues } from '../invitation-types/placeholders.ts'
import type { InvitationType } from '../invitation-types/resource.ts'
import type { InvitationTypeStore } from '../invitation-types/store.ts'
import type { InvitationLinks } from '../invitations/links.ts'
import type { StoredInvitation } from '../invitations/store.ts'
import type { InvitationMail } from './resource.ts'

const SUBJECT = '{{partner_name}} invites you to {{event_title}}'
const MESSAGE = '{{partner_name}} invites you to {{event_title}}. Please answer here:\n\n{{link}}\n'
/** Control characters, line ends included. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a line
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** Makes the e-mails of invitations from what their types say. */
export class InvitationMails {
  readonly #types: InvitationTypeStore
  readonly #links: InvitationLinks
  readonly #events

  constructor(types: InvitationTypeStore, links: InvitationLinks, bus: Bus) {
    this.#types = types
    this.#links = links
    this.#events = clientOf(bus, events)
  }

  /** The e-mails of a partner's invitations. */
  async of(
    partner: StoredPartner,
    invitations: { invitation: StoredInvitation; campaign: StoredCampaign }[],
  ): Promise<InvitationMail[]> {
    if (invitations.length === 0) return []
    const { event_id } = partner
    const typeIds = [...new Set(invitations.map(({ campaign }) => campaign.invitation_type_id))]
    const [{ title }, types] = await Promise.all([
      this.#events.campaign_terms({ body: { event_id } }),
      Promise.all(typeIds.map((id) => this.#types.get(event_id, id))),
    ])
    const byId = new Map(types.map((type) => [type?._id, type]))
    return invitations.map(({ invitation, campaign }) => {
      const type = byId.get(campaign.invitation_type_id)
      const link = this.#links.of(event_id, invitation._id)
      const content = contentOf(type ?? null, {
        first_name: invitation.first_name ?? '',
        last_name: invitation.last_name ?? '',
        email: invitation.email,
        event_title: title,
        partner_name: partner.name,
        link,
      })
      return {
        _id: invitation._id,
        to: invitation.address,
        ...content,
        reply_to: campaign.reply_to,
        link,
        unsubscribe_link: this.#links.ofUnsubscribing(event_id, invitation._id),
        ...(invitation.traceparent !== undefined && { traceparent: invitation.traceparent }),
      }
    })
  }
}

/** What an e-mail of an invitation type says, or one of none, with these values. */
export function contentOf(
  type: Pick<InvitationType, 'subject' | 'message' | 'sender_name'> | null,
  given: PlaceholderValues,
): Pick<InvitationMail, 'subject' | 'text' | 'html' | 'sender_name'> {
  const values = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, inLine(value)]),
  ) as PlaceholderValues
  const message = readMessage(type?.message?.trim() ? type.message : MESSAGE)
  if (!hasLink(message)) message.push({ kind: 'paragraph', of: [{ kind: 'value', name: 'link', fallback: '' }] })
  return {
    // One of placeholders alone may be empty.
    subject: inLine(filled(type?.subject ?? '', values)) || filled(SUBJECT, values),
    text: textOf(message, values),
    html: htmlOf(message, values),
    sender_name: inLine(type?.sender_name?.trim() ? type.sender_name : values.partner_name),
  }
}

/** A text in one line. */
export function inLine(text: string | null): string {
  return (text ?? '').replaceAll(CONTROL, ' ').trim()
}
