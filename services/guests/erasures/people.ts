import type { Client } from '@gatehouse/proto/bus/client.ts'
import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Person, Subject } from '@gatehouse/proto/declaring/personal-data.ts'
import { visible } from '@gatehouse/proto/declaring/visible.ts'
import type { GuestLookups } from '../guests/lookups.ts'
import type { StoredGuest } from '../guests/stored-guest.ts'
import type { contacts } from '../permissions.ts'
import type { ErasureSubject } from './resource.ts'

/** Finds out by what people are known, from what clients ask for. */
export class People {
  readonly #lookups: GuestLookups
  readonly #contacts: Client<typeof contacts>

  constructor(lookups: GuestLookups, client: Client<typeof contacts>) {
    this.#lookups = lookups
    this.#contacts = client
  }

  /** By what a person is known in an event, and in its account if that is meant too; undefined is everybody. */
  async personOf(where: Omit<Subject, 'person'>, asked: ErasureSubject): Promise<Person | undefined> {
    if (asked.by === 'everybody') return undefined
    const value = asked.value ?? ''
    const person = await this.#inEvent(where.event_id, asked.by, asked.by === 'guest_uid' ? value : visible(value))
    if (!where.with_account) return person
    const contact_ids = await this.#contactIds(where.account_id, person.emails)
    return { ...person, contact_ids, by_email: asked.by === 'email' }
  }

  /** What is wrong with what a client asks for. */
  async errorsOf(event_id: string, { by, value = null }: Partial<ErasureSubject>): Promise<FieldErrors> {
    if (by === undefined || by === 'everybody') return {}
    if (isBlank(value) || visible(value) === '') return { value: [messageOf('blank')] }
    const isUnknown = by === 'guest_id' && (await this.#lookups.knownIds(event_id, [visible(value)])).length === 0
    return isUnknown ? { value: [messageOf('unknown_reference', { thing: 'a guest', owner: 'event' })] } : {}
  }

  async #inEvent(event_id: string, by: Exclude<ErasureSubject['by'], 'everybody'>, wanted: string): Promise<Person> {
    if (by === 'email') {
      const guests = await this.#lookups.withEmail(event_id, wanted)
      return { ...identitiesOf(guests), emails: spellings([wanted, ...guests.map((guest) => guest.email ?? wanted)]) }
    }
    const isUid = by === 'guest_uid'
    const value = isUid ? await this.#lookups.uidOf(event_id, wanted) : wanted
    const [guest] = isUid
      ? await Array.fromAsync(this.#lookups.withUids(event_id, [value]))
      : await this.#lookups.withIds(event_id, [value])
    // A guest who is deleted may still be known elsewhere.
    if (!guest) return { guest_ids: isUid ? [] : [value], guest_uids: isUid ? [value] : [], emails: [] }
    return { ...identitiesOf([guest]), emails: await this.#ownEmails(guest) }
  }

  /** The address of a guest, unless another guest has it too: then it may be another person's. */
  async #ownEmails({ _id, event_id, email }: StoredGuest): Promise<string[]> {
    if (!email) return []
    const sharing = await this.#lookups.withEmail(event_id, email)
    return sharing.every((each) => each._id === _id) ? spellings([email]) : []
  }

  /** Kept with the person: once a contact is deleted, nothing says any more what was its own. */
  async #contactIds(account_id: string, emails: string[]): Promise<string[]> {
    if (emails.length === 0) return []
    const found = await this.#contacts.with_addresses({ body: { account_id, emails } })
    return found.map(({ _id }) => _id)
  }
}

/** Addresses as they were given, and as they are compared. */
function spellings(emails: string[]): string[] {
  return [...new Set(emails.flatMap((email) => [email, normalized(email) ?? email]))]
}

function identitiesOf(guests: StoredGuest[]): Pick<Person, 'guest_ids' | 'guest_uids'> {
  return { guest_ids: guests.map(({ _id }) => _id), guest_uids: guests.map(({ uid }) => uid) }
}
