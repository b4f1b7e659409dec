import type { FoundEntry, Subject } from '@gatehouse/proto/declaring/personal-data.ts'
import type { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { StaffStore } from '../api/staff-members/store.ts'

type PersonalDataHandlers = ReturnType<typeof personalDataHandlers>

const STAFF = 'since the contact is a staff member: delete that one first'
const UNNAMED =
  'since the request named a guest, whose address may be another person’s: ask by the e-mail address to delete the contact'

/** Contacts that share an outcome: they are deleted if there is no reason to keep them. */
interface ContactGroup {
  contact_ids: string[]
  reason: string | undefined
}

/**
 * The handlers of personal data, which decide here about the contact of a person: it is deleted by a request that names its address, unless it
 * is staff. What hangs on the contact follows it.
 */
export function contactDataHandlers(
  handlers: PersonalDataHandlers,
  staff: StaffStore,
  unsearchedIn: (subject: Subject) => Promise<FoundEntry[]>,
): PersonalDataHandlers {
  async function partsOf({ account_id, person }: Subject): Promise<ContactGroup[]> {
    const ids = person?.contact_ids ?? []
    if (ids.length === 0) return []
    const members = (await staff.ofAccount(account_id)).filter(({ contact_id }) => ids.includes(contact_id))
    const ofStaff = new Set(members.map(({ contact_id }) => contact_id))
    const others = ids.filter((id) => !ofStaff.has(id))
    return [
      { contact_ids: [...ofStaff, ...members.map(({ _id }) => _id)], reason: STAFF },
      { contact_ids: others, reason: person?.by_email ? undefined : UNNAMED },
    ]
  }

  return {
    async find(input) {
      const parts = await partsOf(input.body)
      const entries = parts.map(async ({ contact_ids, reason }) => {
        const found = await handlers.find({ ...input, body: knownBy(input.body, contact_ids) })
        return found.map((entry) =>
          reason === undefined || entry.outcome === 'kept' ? entry : { ...entry, outcome: 'kept' as const, reason },
        )
      })
      return [...(await Promise.all(entries)).flat(), ...(await unsearchedIn(input.body))]
    },

    async erase(input) {
      const erased = (await partsOf(input.body)).filter(({ reason }) => reason === undefined)
      const contact_ids = erased.flatMap((part) => part.contact_ids)
      return handlers.erase({ ...input, body: knownBy(input.body, contact_ids) })
    },

    async export(input) {
      const contact_ids = (await partsOf(input.body)).flatMap((part) => part.contact_ids)
      return handlers.export({ ...input, body: knownBy(input.body, contact_ids) })
    },
  }
}

function knownBy<T extends Subject>(body: T, contact_ids: string[]): T {
  return { ...body, ...(body.person && { person: { ...body.person, contact_ids } }) }
}
