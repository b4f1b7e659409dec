import type { Subject } from '@gatehouse/proto/declaring/personal-data.ts'
import type { PersonalKind } from '@gatehouse/proto/privacy/serving.ts'
import type { StaffStore, StoredMember } from '../api/staff-members/store.ts'

/** Staff members as personal data: those of an account share one document. */
export function personalStaff(staff: StaffStore): PersonalKind {
  async function membersOf({ account_id, with_account, person }: Subject): Promise<StoredMember[]> {
    const ids = (with_account && person?.contact_ids) || []
    if (ids.length === 0) return []
    return (await staff.ofAccount(account_id)).filter(({ contact_id }) => ids.includes(contact_id))
  }

  return {
    declared: {
      name: 'sso.staff_members',
      outcome: 'kept',
      reason: 'since the person has access to the account: an owner deletes the staff member, which ends it',
    },
    count: async (subject) => (await membersOf(subject)).length,
    erase: async () => true,
    async page(subject) {
      const items = (await membersOf(subject)).map(
        ({ _id, contact_id, role, event_id, last_signed_in_at, created_at, updated_at }) => ({
          ...{ _id, contact_id, role, event_id },
          ...{ last_signed_in_at, created_at, updated_at },
        }),
      )
      return { items, next: undefined }
    },
  }
}
