import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { personalData } from '../resources.ts'
import { contactGroupsOf, withContacts } from './contact-groups.ts'
import type { Dependencies } from './dependencies.ts'

/** Erases a person's data, except for contacts that are kept. */
export async function erase(
  dependencies: Dependencies,
  call: Call<(typeof personalData)['actions']['erase']>,
): Promise<{ is_done: boolean }> {
  const erased = (await contactGroupsOf(dependencies, call.body)).filter(({ reason }) => reason === undefined)
  const contact_ids = erased.flatMap((group) => group.contact_ids)
  return dependencies.personal.erase({ ...call, body: withContacts(call.body, contact_ids) })
}
