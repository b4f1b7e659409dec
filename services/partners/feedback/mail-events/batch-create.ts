import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import {
  alsoWrong,
  type Call,
  type Caller,
  isRejected,
  type Output,
  required,
} from '@gatehouse/proto/declaring/resource.ts'
import type { PartnerInvitation } from '../../delivery/invitations/resource.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { invitationOfMessage } from './message-ids.ts'
import { occurredAt, reasonOf } from './reasons.ts'
import { type InvitationEvent, invitationsById, recordEvents } from './recording.ts'
import type { mailEvents } from './resource.ts'

const NO_ID = { invitation_id: [messageOf('blank')] }
const UNKNOWN = { invitation_id: [messageOf('unknown_reference', { thing: 'an invitation', owner: 'account' })] }
const UNKNOWN_MESSAGE = { message_id: [messageOf('unknown_reference', { thing: 'an e-mail', owner: 'account' })] }

type BatchCreate = (typeof mailEvents)['actions']['batch_create']
type MailEvent = Exclude<Call<BatchCreate>['body'][number], { errors: unknown }>
type MailReference = Pick<Partial<MailEvent>, 'invitation_id' | 'message_id'>

/** Records what came back about e-mails of a caller's account. */
export async function batchCreate(
  dependencies: Dependencies,
  { caller, body }: Call<BatchCreate>,
): Promise<Output<BatchCreate>> {
  const who = required(caller)
  const items = body.map((item) => ({ item, id: idOf(isRejected(item) ? item.given : item) }))
  const known = await reached(
    dependencies,
    who,
    items.flatMap(({ id }) => id ?? []),
  )
  const reported = items.flatMap(({ item, id }): InvitationEvent[] => {
    const invitation = known.get(id ?? '')
    if (isRejected(item) || !invitation) return []
    const { type, bounce_type, reason, occurred_at } = item
    const isHard = bounce_type === 'hard'
    return [{ invitation, event: { type, isHard, reason: reasonOf(reason), occurred_at: occurredAt(occurred_at) } }]
  })
  await recordEvents(dependencies, reported)
  const current = await invitationsById(
    dependencies,
    reported.map(({ invitation }) => invitation._id),
  )
  return items.map(({ item, id }) => {
    if (isRejected(item)) return alsoWrong(item, known.has(id ?? '') ? {} : errorsOf(item.given))
    const invitation = current.get(id ?? '')
    if (!invitation) return { errors: errorsOf(item) }
    return { ...item, invitation_id: invitation._id, state: invitation.state as PartnerInvitation['state'] }
  })
}

/** Those of the invitations that are of a caller's account. */
async function reached(
  dependencies: Dependencies,
  { account_id }: Caller,
  ids: string[],
): Promise<Map<string, StoredInvitation>> {
  const known = await invitationsById(dependencies, ids)
  // Tokens that are bound to one event get no further than the gateway, since the path names none.
  const asked = [...new Set([...known.values()].map(({ event_id }) => event_id))]
  const owners = await Promise.all(asked.map((event_id) => dependencies.eventClient.owner({ body: { event_id } })))
  const own = new Set(asked.filter((_, index) => owners[index]?.account_id === account_id))
  return new Map([...known].filter(([, { event_id }]) => own.has(event_id)))
}

/** The errors of an item that names no invitation of the account. */
function errorsOf(given: MailReference = {}): FieldErrors {
  if (given.invitation_id) return UNKNOWN
  return given.message_id ? UNKNOWN_MESSAGE : NO_ID
}

/** The invitation that an item names. */
function idOf({ invitation_id, message_id }: MailReference = {}): string | undefined {
  if (invitation_id) return invitation_id
  return message_id ? invitationOfMessage(message_id) : undefined
}
