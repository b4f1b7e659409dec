import { conflict, invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Change, StoredMember } from './store.ts'

/* What may become of the staff of an account. Each function is repeated if another change came between. */

/**
 * Whether a member has followed a link, which sets the password, and so has signed in. Before that the role does not count: the contact may be
 * one whom somebody else has made, and whose password that one knows.
 */
export function hasJoined({ last_signed_in_at }: StoredMember): boolean {
  return last_signed_in_at !== null
}

/** Adds a member, or gives the one whom an earlier try added. Throws `invalid` if the contact is one already, or there are `cap`. */
export function added(members: StoredMember[], member: StoredMember, cap: number): Change {
  const known = members.find(({ _id }) => _id === member._id)
  if (known) return changed(members, { ...known, ...(member.link && { link: member.link }) })
  if (members.some(({ contact_id }) => contact_id === member.contact_id))
    throw invalid({ email: ['has already been taken'] })
  if (members.length >= cap)
    throw invalid({ staff_members: [`are limited to ${cap} for an account: delete one first`] })
  return { members: [...members, member], member }
}

/** Changes a member. Throws `conflict` if nobody else is an owner. */
export function updated(members: StoredMember[], _id: string, changes: Partial<StoredMember>): Change {
  const member = members.find((each) => each._id === _id)
  if (!member) return null
  const next = { ...member, ...changes, updated_at: new Date() }
  if (next.role !== 'owner') requireOtherOwner(members, member)
  return changed(members, next)
}

/** Removes a member. Throws `conflict` if nobody else is an owner. */
export function removed(members: StoredMember[], _id: string): Change {
  const member = members.find((each) => each._id === _id)
  if (!member) return null
  requireOtherOwner(members, member)
  return { members: members.filter((each) => each !== member), member }
}

function changed(members: StoredMember[], member: StoredMember): Change {
  return { members: members.map((each) => (each._id === member._id ? member : each)), member }
}

function requireOtherOwner(members: StoredMember[], member: StoredMember): void {
  if (member.role !== 'owner') return
  const others = members.filter(({ _id, role }) => role === 'owner' && _id !== member._id)
  if (others.length === 0) throw conflict('An account keeps one owner: make somebody else an owner first')
}
