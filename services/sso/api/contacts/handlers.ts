import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { emailErrors } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Body, Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { unbound } from '../../callers.ts'
import type { CodeStore } from '../../credentials/codes.ts'
import * as topics from '../../topics.ts'
import type { AuditEntry, AuditStore } from '../audit/store.ts'
import type { ContactField } from '../contact-fields/resource.ts'
import type { ContactFieldStore } from '../contact-fields/store.ts'
import type { StaffContacts } from '../staff-members/contacts.ts'
import { hashOf, newContact, validated } from './creating.ts'
import { ContactImporter } from './import.ts'
import { ownFields } from './own-fields.ts'
import type { ContactRemoval } from './removal.ts'
import type { Contact, contacts } from './resource.ts'
import type { ContactChanges, ContactStore, StoredContact } from './store.ts'

const EMAIL_TAKEN = { email: [messageOf('taken')] }

type UpdateBody = Body<(typeof contacts)['actions']['update']>

/** The handlers of contacts. */
export function contactHandlers(
  store: ContactStore,
  fieldStore: ContactFieldStore,
  codes: CodeStore,
  audit: AuditStore,
  staff: StaffContacts,
  removal: ContactRemoval,
  bus: Bus,
): Handlers<typeof contacts> {
  /** Ends a contact's sign-ins. */
  async function end({ account_id, _id }: StoredContact): Promise<void> {
    bus.announce(topics.signIns, { account_id, contact_id: _id })
    await codes.delete(account_id, _id)
  }

  /** The error for an e-mail address that a contact other than `_id` has. */
  async function takenEmail(account_id: string, email: string | undefined, _id: string): Promise<FieldErrors> {
    const holder = email === undefined ? null : await store.findByEmail(account_id, email)
    return holder && holder._id !== _id ? EMAIL_TAKEN : {}
  }

  async function record({ account_id, _id }: StoredContact, kind: AuditEntry['kind']): Promise<void> {
    await audit.record({ account_id, kind, contact_id: _id })
  }

  return {
    async list({ query, caller }) {
      const { account_id } = unbound(caller)
      const { email, search } = query
      const [fields, page] = await Promise.all([
        fieldStore.ofAccount(account_id),
        store.page(account_id, { email, search: search ?? undefined }, query),
      ])
      return page.map((contact) => shown(contact, fields))
    },

    async read({ params, caller }) {
      const { account_id } = unbound(caller)
      const [fields, contact] = await Promise.all([fieldStore.ofAccount(account_id), store.get(account_id, params.id)])
      return shown(found(contact), fields)
    },

    async create({ body: given, accept, caller, newId }) {
      const { account_id } = unbound(caller)
      const fields = await fieldStore.ofAccount(account_id)
      const { values, errors } = validated(given, fields)
      const _id = newId()
      const body = await accept(errors, () => takenEmail(account_id, given.email, _id))
      const made = await newContact({ _id, account_id }, body, values)
      const contact = await bus.announcing(topics.contacts, account_id, store.insert(made))
      if (!contact) throw invalid(EMAIL_TAKEN)
      if (contact.password_hash) await record(contact, 'password_changed')
      return shown(contact, fields)
    },

    async import({ upload, query, caller }) {
      const { account_id } = unbound(caller)
      const fields = await fieldStore.ofAccount(account_id)
      const file = new ContactImporter(account_id, fields, store, async (contacts) => {
        const stored = await bus.announcing(topics.contacts, account_id, store.insertEach(contacts))
        const withPassword = stored.filter((contact) => contact?.password_hash) as StoredContact[]
        await audit.recordEach(
          withPassword.map(({ _id }) => ({ account_id, kind: 'password_changed', contact_id: _id }) as const),
        )
        return stored
      })
      return file.run(upload.bytes, query)
    },

    async update({ params, body: given, accept, caller }) {
      const { account_id } = unbound(caller)
      const fields = await fieldStore.ofAccount(account_id)
      const { _id, email } = found(await store.get(account_id, params.id))
      const { values, errors } = validated(given, fields)
      const body = await accept({ ...errors, ...emailErrors(given.email, email) }, () =>
        takenEmail(account_id, given.email, _id),
      )
      const changes = { ...(await changesOf(body)), values }
      return untilUnchanged('contact', async () => {
        const current = found(await store.get(account_id, params.id))
        // In each try: the contact may have become staff meanwhile, which changes the revision.
        await staff.requireRight(unbound(caller), params.id)
        const { is_blocked = current.is_blocked } = changes
        const setsPassword = changes.password_hash !== undefined
        const blocks = is_blocked && !current.is_blocked
        const ends = setsPassword || blocks
        if (blocks) await staff.noteBlock(account_id, params.id, true)
        const updating = () => bus.announcing(topics.contacts, account_id, store.update(current, changes, ends))
        const contact = await (ends ? staff.ending(account_id, params.id, updating) : updating())
        if (contact === undefined) throw invalid(EMAIL_TAKEN)
        if (contact === null) return null
        // A code that was sent to the previous address becomes void.
        if (ends) await end(contact)
        else if (changes.email !== undefined) await codes.delete(account_id, contact._id)
        if (setsPassword) await record(contact, 'password_changed')
        if (blocks) await record(contact, 'contact_blocked')
        if (changes.is_blocked === false) await staff.noteBlock(account_id, params.id, false)
        if (!is_blocked && current.is_blocked) await record(contact, 'contact_unblocked')
        return shown(contact, fields)
      })
    },

    async delete({ params, caller }) {
      const { account_id } = unbound(caller)
      const fields = await fieldStore.ofAccount(account_id)
      return shown(await removal.remove(account_id, params.id), fields)
    },

    with_addresses: async ({ body: { account_id, emails } }) =>
      (await store.withEmails(account_id, emails)).map((_id) => ({ _id })),
  }
}

/** The changes of a PUT besides the account's contact fields. */
async function changesOf({ email, first_name, last_name, is_blocked, password }: UpdateBody): Promise<ContactChanges> {
  return {
    ...(email !== undefined && { email }),
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(is_blocked !== undefined && { is_blocked }),
    ...(password !== undefined && { password_hash: await hashOf(password) }),
  }
}

/** A contact for answers, with the account's contact fields beside the others. */
export function shown(contact: StoredContact, fields: ContactField[]): Contact {
  const { _id, email, first_name, last_name, is_blocked, password_hash, created_at, updated_at } = contact
  const has_password = password_hash !== null
  return {
    ...ownFields(contact, fields),
    ...{ _id, email, first_name, last_name, is_blocked, has_password, created_at, updated_at },
  }
}
