import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { personalData } from '../resources.ts'
import { contactGroupsOf, withContacts } from './contact-groups.ts'
import type { Dependencies } from './dependencies.ts'

type Export = (typeof personalData)['actions']['export']

/** Exports a page of a person's data, kept contacts included. */
export async function exportPage(dependencies: Dependencies, call: Call<Export>): Promise<Output<Export>> {
  const contact_ids = (await contactGroupsOf(dependencies, call.body)).flatMap((group) => group.contact_ids)
  return dependencies.personal.export({ ...call, body: withContacts(call.body, contact_ids) })
}
