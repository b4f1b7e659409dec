import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { announced } from '../account-cache.ts'
import type { ContactStore, StoredContact } from '../contacts/store.ts'

type Names = Pick<StoredContact, 'first_name' | 'last_name'>

/** The name of a contact as one text; null without a name. */
export function nameOf({ first_name, last_name }: Names): string | null {
  return [first_name, last_name].filter(Boolean).join(' ') || null
}

/** A name as contacts have it: what comes after its last blank is the last name. */
export function namesOf(name: string | null): Names {
  const at = name?.lastIndexOf(' ') ?? -1
  if (name === null || at < 0) return { first_name: name || null, last_name: null }
  return { first_name: name.slice(0, at), last_name: name.slice(at + 1) }
}

/** Renames a contact. Null if there is none. */
export async function rename(
  contacts: ContactStore,
  bus: Bus,
  { account_id, contact_id }: { account_id: string; contact_id: string },
  name: string | null,
): Promise<StoredContact | null> {
  const { contact } = await untilUnchanged('contact', async () => {
    const current = await contacts.get(account_id, contact_id)
    if (!current) return { contact: null }
    const changed = await announced(bus, 'contacts', account_id, contacts.update(current, namesOf(name), false))
    return changed ? { contact: changed } : undefined
  })
  return contact
}
