import type { FoundEntry } from '@gatehouse/proto/declaring/personal-data.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { unsearched } from '@gatehouse/proto/privacy/free-texts.ts'
import type { personalData } from '../resources.ts'
import { contactGroupsOf, withContacts } from './contact-groups.ts'
import type { Dependencies } from './dependencies.ts'
import { freeTexts } from './free-texts.ts'

/** Finds a person's data, with the reason why a contact is kept. */
export async function find(
  dependencies: Dependencies,
  call: Call<(typeof personalData)['actions']['find']>,
): Promise<FoundEntry[]> {
  const { personal, db } = dependencies
  const groups = await contactGroupsOf(dependencies, call.body)
  const entries = groups.map(async ({ contact_ids, reason }) => {
    const found = await personal.find({ ...call, body: withContacts(call.body, contact_ids) })
    return found.map((entry) =>
      reason === undefined || entry.outcome === 'kept' ? entry : { ...entry, outcome: 'kept' as const, reason },
    )
  })
  return [...(await Promise.all(entries)).flat(), ...(await unsearched(db, freeTexts, call.body))]
}
