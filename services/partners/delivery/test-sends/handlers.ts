import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import { Fault, type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { events, outgoing } from '../../permissions.ts'
import { contentOf } from '../hand-overs/mails.ts'
import type { InvitationTypeStore } from '../invitation-types/store.ts'
import { type InvitationLinks, NO_INVITATION } from '../invitations/links.ts'
import { type Refusing, refusalsOf } from '../refusals.ts'
import type { testSends } from './resource.ts'
import type { TestSendStore } from './store.ts'

const EXAMPLE = { first_name: 'Ada', last_name: 'Lovelace', partner_name: 'Example partner' }
/** Seconds until a mail server that is away is asked again. */
const RETRY_SECONDS = 60

interface TestSendHandlerOptions extends Refusing {
  types: InvitationTypeStore
  counts: TestSendStore
  links: InvitationLinks
  bus: Bus
}

/** Handlers of test sends. */
export function testSendHandlers(options: TestSendHandlerOptions): Handlers<typeof testSends> {
  const { types, counts, links, bus } = options
  const terms = clientOf(bus, events)
  const mail = clientOf(bus, outgoing)

  async function errorsOf(event_id: string, email: string): Promise<FieldErrors> {
    const address = normalized(email)
    if (address === undefined) return { email: [messageOf('invalid')] }
    const refusal = (await refusalsOf(options, event_id, [address])).get(address)
    if (!refusal) return {}
    return { email: [messageOf(refusal === 'blocked' || refusal === 'unsubscribed' ? refusal : 'suppressed')] }
  }

  return {
    async send({ params: { event_id, id }, body: given, accept, caller, newId }) {
      const { account_id } = required(caller)
      const type = found(await types.get(event_id, id))
      const { email } = await accept(given.email === undefined ? {} : await errorsOf(event_id, given.email))
      await counts.count(account_id)
      const { title, reply_to_email } = await terms.campaign_terms({ body: { event_id } })
      const link = links.of(event_id, NO_INVITATION)
      const content = contentOf(type, { ...EXAMPLE, email, event_title: title, link })
      const subject = `[Test] ${content.subject}`
      const { outcome, reason } = await mail.hand_over({
        body: {
          ...content,
          _id: newId(),
          to: normalized(email) ?? email,
          subject,
          reply_to: reply_to_email,
          link,
          unsubscribe_link: links.ofUnsubscribing(event_id, NO_INVITATION),
        },
      })
      if (outcome === 'sent') return { email, subject }
      if (outcome === 'rejected') throw invalid({ email: [messageOf('refused', { reason: reason ?? '' })] })
      const message =
        outcome === 'later'
          ? `The mail server does not take it now: ${reason}`
          : `The mail server may have taken it, but did not say so: ${reason}`
      throw new Fault('unavailable', message, undefined, RETRY_SECONDS)
    },
  }
}
