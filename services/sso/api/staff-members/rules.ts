import { conflict, type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { isOwner, type StaffChange, type StaffLink, type StoredMember } from './store.ts'

/* What may become of the staff of an account. Each function is repeated if another change came between. */

/** The error of an event that the role may not be bound to. */
export function boundErrors({ role, event_id }: Partial<StoredMember>): FieldErrors {
  const isBound = event_id !== null && event_id !== undefined
  return isBound && (role === 'owner' || role === 'organizer') ? UNBOUND_ROLE : {}
}

const UNBOUND_ROLE = { event_id: [messageOf('role_not_bound')] }

/** Adds a member, or gives the one whom an earlier try added. Throws `invalid` if the contact is one already, or there are `cap`. */
export function added(members: StoredMember[], member: StoredMember, cap: number): StaffChange {
  const known = members.find(({ _id }) => _id === member._id)
  if (known) return changed(members, { ...known, ...(member.link && { link: member.link }) })
  if (members.some(({ contact_id }) => contact_id === member.contact_id)) throw invalid({ email: [messageOf('taken')] })
  if (members.length >= cap)
    throw invalid({ staff_members: [messageOf('account_limit', { limit: cap, act: 'delete' })] })
  return { members: [...members, member], member }
}

/** Adds the first owner, or makes the member who is this contact an owner. */
export function withFirstOwner(members: StoredMember[], owner: StoredMember): StaffChange {
  const known = members.find(({ contact_id }) => contact_id === owner.contact_id)
  if (!known) return { members: [...members, owner], member: owner }
  const { link: _, ...rest } = known
  return changed(members, { ...rest, role: 'owner', event_id: null, updated_at: new Date() })
}

/** Changes a member. Throws `conflict` if nobody else is an owner, `invalid` if another change made the role one that is bound to no event. */
export function updated(members: StoredMember[], _id: string, changes: Partial<StoredMember>): StaffChange {
  const member = members.find((each) => each._id === _id)
  if (!member) return null
  const next = { ...member, ...changes, updated_at: new Date() }
  const errors = boundErrors(next)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (next.role !== 'owner') requireOtherOwner(members, member)
  return changed(members, next)
}

/** Replaces the link of a member. */
export function relinked(members: StoredMember[], _id: string, link: StaffLink): StaffChange {
  const member = members.find((each) => each._id === _id)
  return member ? changed(members, { ...member, link }) : null
}

/** Removes a member. Throws `conflict` if nobody else is an owner. */
export function removed(members: StoredMember[], _id: string): StaffChange {
  const member = members.find((each) => each._id === _id)
  if (!member) return null
  requireOtherOwner(members, member)
  return { members: members.filter((each) => each !== member), member }
}

/** Notes that the contact of a member is blocked, or is no more. Throws `conflict` if nobody else is an owner. */
export function blocked(members: StoredMember[], contact_id: string, is_blocked: boolean): StaffChange {
  const member = members.find((each) => each.contact_id === contact_id)
  if (!member) return null
  if (is_blocked) requireOtherOwner(members, member)
  return changed(members, { ...member, is_blocked })
}

function changed(members: StoredMember[], member: StoredMember): StaffChange {
  return { members: members.map((each) => (each._id === member._id ? member : each)), member }
}

function requireOtherOwner(members: StoredMember[], member: StoredMember): void {
  if (!isOwner(member)) return
  if (!members.some((each) => each !== member && isOwner(each))) throw conflict(messageOf('last_owner'))
}
