import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { personalDocuments } from './resource.ts'

type Export = typeof personalDocuments.actions.export

/** Exports personal data of one service after the other. `after` is the name of a service and a position in it. */
export async function exportDocuments(
  { people, personalDataClients }: Dependencies,
  { params: { event_id }, query: { after, ...asked }, caller }: Call<Export>,
): Promise<Output<Export>> {
  const { account_id, event_id: bound_to } = required(caller)
  // A token that is bound to an event learns nothing of the account.
  const scope = { account_id, event_id, with_account: bound_to === undefined }
  const errors = await people.errorsOf(event_id, asked)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const person = await people.personOf(scope, asked)
  const [name = personalDataClients[0]?.name, ...position] = after?.split(':') ?? []
  const index = personalDataClients.findIndex((each) => each.name === name)
  const service = personalDataClients[index]
  if (!service) throw invalid({ after: [messageOf('invalid')] })
  const { data, items, next } = await service.client.export({
    body: { ...scope, ...(person && { person }), after: position.join(':') || null },
  })
  const following = personalDataClients[index + 1]
  return {
    data,
    items: JSON.parse(items) as unknown[],
    next: next ? `${name}:${next}` : following ? `${following.name}:` : null,
  }
}
