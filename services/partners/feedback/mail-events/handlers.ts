import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import {
  alsoWrong,
  type Call,
  type Caller,
  type Handlers,
  isRejected,
  required,
} from '@gatehouse/proto/declaring/resource.ts'
import type { PartnerInvitation } from '../../delivery/invitations/resource.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import { events } from '../../permissions.ts'
import type { Feedback, InvitationEvent } from './feedback.ts'
import { invitationOfMessage } from './message-ids.ts'
import { occurredAt, reasonOf } from './reasons.ts'
import type { mailEvents } from './resource.ts'

const NO_ID = { invitation_id: [messageOf('blank')] }
const UNKNOWN = { invitation_id: [messageOf('unknown_reference', { thing: 'an invitation', owner: 'account' })] }
const UNKNOWN_MESSAGE = { message_id: [messageOf('unknown_reference', { thing: 'an e-mail', owner: 'account' })] }

type MailEventItem = Call<(typeof mailEvents)['actions']['batch_create']>['body'][number]
type MailReference = Pick<Partial<Exclude<MailEventItem, { errors: unknown }>>, 'invitation_id' | 'message_id'>

/** Handlers of mail events. */
export function mailEventHandlers(feedback: Feedback, bus: Bus): Handlers<typeof mailEvents> {
  const eventClient = clientOf(bus, events)

  /** Those of the invitations that are of a caller's account. */
  async function reached({ account_id }: Caller, ids: string[]): Promise<Map<string, StoredInvitation>> {
    const known = await feedback.invitations(ids)
    // Tokens that are bound to one event get no further than the gateway, since the path names none.
    const asked = [...new Set([...known.values()].map(({ event_id }) => event_id))]
    const owners = await Promise.all(asked.map((event_id) => eventClient.owner({ body: { event_id } })))
    const own = new Set(asked.filter((_, index) => owners[index]?.account_id === account_id))
    return new Map([...known].filter(([, { event_id }]) => own.has(event_id)))
  }

  return {
    async batch_create({ caller, body }) {
      const who = required(caller)
      const ids = body.map((item) => idOf(isRejected(item) ? item.given : item))
      const known = await reached(
        who,
        ids.filter((id) => id !== undefined),
      )
      const errorsOf = (given: MailReference | undefined, id: string | undefined): FieldErrors => {
        if (id !== undefined && known.has(id)) return {}
        if (given?.invitation_id) return UNKNOWN
        return given?.message_id ? UNKNOWN_MESSAGE : NO_ID
      }
      const reported: InvitationEvent[] = []
      for (const [index, item] of body.entries()) {
        const invitation = known.get(ids[index] ?? '')
        if (isRejected(item) || !invitation) continue
        const { type, bounce_type, reason, occurred_at } = item
        const event = {
          type,
          isHard: bounce_type === 'hard',
          reason: reasonOf(reason),
          occurred_at: occurredAt(occurred_at),
        }
        reported.push({ invitation, event })
      }
      await feedback.record(reported)
      const current = await feedback.invitations(reported.map(({ invitation }) => invitation._id))
      return body.map((item, index) => {
        const id = ids[index]
        if (isRejected(item)) return alsoWrong(item, errorsOf(item.given, id))
        const invitation = id === undefined ? undefined : current.get(id)
        if (!invitation || id === undefined) return { errors: errorsOf(item, id) }
        return { ...item, invitation_id: id, state: invitation.state as PartnerInvitation['state'] }
      })
    },
  }
}

/** The invitation that an item names. */
function idOf({ invitation_id, message_id }: MailReference = {}): string | undefined {
  if (invitation_id) return invitation_id
  return message_id ? invitationOfMessage(message_id) : undefined
}
