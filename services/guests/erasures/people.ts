import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Person } from '@gatehouse/proto/privacy/personal-data.ts'
import type { GuestLookups } from '../guests/lookups.ts'
import type { StoredGuest } from '../guests/stored-guest.ts'
import type { Asked } from './resource.ts'

/** By what a person is known in an event; undefined is everybody. */
export async function personOf(lookups: GuestLookups, event_id: string, asked: Asked): Promise<Person | undefined> {
  const { by, value } = asked
  if (by === 'everybody') return undefined
  const wanted = value ?? ''
  if (by === 'email') {
    const guests = await lookups.withEmail(event_id, wanted)
    return { ...identitiesOf(guests), emails: spellings([wanted, ...guests.map((guest) => guest.email ?? wanted)]) }
  }
  const isUid = by === 'guest_uid'
  const [guest] = isUid
    ? await Array.fromAsync(lookups.withUids(event_id, [wanted]))
    : await lookups.withIds(event_id, [wanted])
  // A guest who is deleted may still be known elsewhere.
  if (!guest) return { guest_ids: isUid ? [] : [wanted], guest_uids: isUid ? [wanted] : [], emails: [] }
  return { ...identitiesOf([guest]), emails: await ownEmails(lookups, guest) }
}

/** What is wrong with what a client asks for. */
export async function errorsOf(
  lookups: GuestLookups,
  event_id: string,
  { by, value = null }: Partial<Asked>,
): Promise<FieldErrors> {
  if (by === undefined || by === 'everybody') return {}
  if (isBlank(value)) return { value: [messageOf('blank')] }
  const isUnknown = by === 'guest_id' && (await lookups.knownIds(event_id, [value])).length === 0
  return isUnknown ? { value: [messageOf('elsewhere', { thing: 'a guest', owner: 'event' })] } : {}
}

/** The address of a guest, unless another guest has it too: then it may be another person's. */
async function ownEmails(lookups: GuestLookups, { _id, event_id, email }: StoredGuest): Promise<string[]> {
  if (!email) return []
  const sharing = await lookups.withEmail(event_id, email)
  return sharing.every((each) => each._id === _id) ? spellings([email]) : []
}

/** Addresses as they were given, and as they are compared. */
function spellings(emails: string[]): string[] {
  return [...new Set(emails.flatMap((email) => [email, normalized(email) ?? email]))]
}

function identitiesOf(guests: StoredGuest[]): Pick<Person, 'guest_ids' | 'guest_uids'> {
  return { guest_ids: guests.map(({ _id }) => _id), guest_uids: guests.map(({ uid }) => uid) }
}
