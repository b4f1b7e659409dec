import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { ConsoleSessionStore } from '../../console/session-store.ts'
import type { Credentials } from '../../credentials/credentials.ts'
import type { Issuers } from '../../issuers.ts'
import type { PasskeyStore } from '../../passkeys/store.ts'
import { events } from '../../permissions.ts'
import * as topics from '../../topics.ts'
import type { AccountStore } from '../accounts/store.ts'
import type { AuditStore } from '../audit/store.ts'
import { nameOf } from '../contacts/names.ts'
import type { ContactStore, StoredContact } from '../contacts/store.ts'
import { newLink } from './links.ts'
import type { StaffPeople } from './people.ts'
import type { StaffMember, staffMembers } from './resource.ts'
import { added, boundErrors, removed, updated } from './rules.ts'
import type { StaffLink, StaffStore, StoredMember } from './store.ts'

/** The slug of the account that a new system gets. */
const FIRST_ACCOUNT = 'events'
const NO_EVENT = { event_id: [messageOf('unknown_reference', { thing: 'an event', owner: 'account' })] }

/** The stores and services of staff members. */
export interface StaffDependencies {
  staff: StaffStore
  contacts: ContactStore
  accounts: AccountStore
  sessionStore: ConsoleSessionStore
  passkeyStore: PasskeyStore
  people: StaffPeople
  credentials: Credentials
  audit: AuditStore
  issuers: Issuers
  bus: Bus
}

/** The handlers of staff members. */
export function staffMemberHandlers(dependencies: StaffDependencies): Handlers<typeof staffMembers> {
  const { staff, contacts, accounts, sessionStore, passkeyStore, people, credentials, audit, issuers, bus } =
    dependencies
  const eventClient = clientOf(bus, events)

  async function errorsOf(account_id: string, member: Partial<StoredMember>): Promise<FieldErrors> {
    const { event_id = null } = member
    const errors = boundErrors(member)
    if (event_id === null || Object.keys(errors).length > 0) return errors
    const owner = await eventClient.owner({ body: { event_id } })
    return owner.account_id === account_id ? {} : NO_EVENT
  }

  const withContact = async (account_id: string, member: StoredMember): Promise<StaffMember> =>
    shown(member, await contacts.get(account_id, member.contact_id))

  async function withLink(account_id: string, member: StoredMember, { url, link }: { url: string; link: StaffLink }) {
    const [account, contact] = await Promise.all([
      accounts.get(account_id),
      contacts.get(account_id, member.contact_id),
    ])
    if (account && contact) {
      const language = languageOf([account.locale ?? undefined], undefined)
      credentials.sendStaffLink(account, contact, { url, expires_at: link.expires_at }, language)
    }
    return { ...shown(member, contact), sign_in_url: url }
  }

  return {
    async list({ caller }) {
      const { account_id } = required(caller)
      return Promise.all((await staff.ofAccount(account_id)).map((member) => withContact(account_id, member)))
    },

    async read({ params, caller }) {
      const { account_id } = required(caller)
      return withContact(account_id, found(await staff.get(account_id, params.id)))
    },

    async create({ body: given, accept, caller, newId }) {
      const { account_id } = required(caller)
      const _id = newId()
      const { email, name, role, event_id } = await accept(await errorsOf(account_id, given))
      const made = newLink(issuers)
      const fields = { _id, role, event_id: event_id || null, last_signed_in_at: null, link: made.link, ...newTimes() }
      const member = await people.admit(account_id, { email, name }, (members, contact_id) =>
        added(members, { ...fields, contact_id }, staff.cap),
      )
      return withLink(account_id, member, made)
    },

    async update({ params, body: given, accept, caller }) {
      const { account_id } = required(caller)
      const known = found(await staff.get(account_id, params.id))
      const { name, ...changes } = await accept(await errorsOf(account_id, { ...known, ...given }))
      if (changes.event_id === '') changes.event_id = null
      if (name !== undefined) await people.rename(account_id, known.contact_id, name)
      // Gateways know the role and the event of a session.
      const changing = staff.change(account_id, (members) => updated(members, params.id, changes))
      return withContact(account_id, found(await bus.announcing(topics.tokens, 'changed', changing)))
    },

    async delete({ params, caller }) {
      const { account_id } = required(caller)
      const removing = staff.change(account_id, (members) => removed(members, params.id))
      const member = found(await bus.announcing(topics.tokens, 'revoked', removing))
      await sessionStore.deleteOfMember(account_id, member._id)
      await passkeyStore.deleteOfContact(account_id, member.contact_id)
      return withContact(account_id, member)
    },

    async roll_link({ params, caller }) {
      const { account_id } = required(caller)
      const made = newLink(issuers)
      const member = await staff.change(account_id, (members) => {
        const holder = members.find(({ _id }) => _id === params.id)
        if (!holder) return null
        const next = { ...holder, link: made.link }
        return { members: members.map((each) => (each === holder ? next : each)), member: next }
      })
      return withLink(account_id, found(member), made)
    },

    async first_owner() {
      const [isAnybodyOwner, account] = await Promise.all([staff.isAnybodyOwner(), accounts.onlyOr(FIRST_ACCOUNT)])
      return { is_missing: !isAnybodyOwner, account }
    },

    async first_link({ body: { account: slug } }) {
      const { _id: account_id } = await accounts.findOrCreate(slug)
      const { url, link } = newLink(issuers)
      const isOpen = await staff.putFirstLink(account_id, link)
      if (isOpen) await audit.recordAct({ account_id, action: 'sso.staff_members.first_link', token_id: 'cli' })
      return { sign_in_url: isOpen ? url : null }
    },
  }
}

function shown(member: StoredMember, contact: StoredContact | null): StaffMember {
  const { _id, role, event_id, last_signed_in_at, created_at, updated_at } = member
  const { email = '' } = contact ?? {}
  const name = contact && nameOf(contact)
  return { _id, email, name, role, event_id, last_signed_in_at, created_at, updated_at }
}
