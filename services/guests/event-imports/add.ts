import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { accountOf, importOf, shown } from './begun.ts'
import type { eventImports } from './resource.ts'
import { checkSeal, EVENT_COLLECTION } from './seals.ts'

type Add = typeof eventImports.actions.add

/** Stores a page of an archive in the service that holds its collection. */
export async function add(dependencies: Dependencies, { body, caller }: Call<Add>): Promise<Output<Add>> {
  const account_id = accountOf(caller)
  const { event_id, from_account_id, documents } = body
  const event = await importOf(dependencies, account_id, event_id)
  checkSeal(dependencies, body, Object.keys(body))
  const [service, collection = ''] = body.collection.split('.')
  const client = dependencies.eventDataServices.find(({ name }) => name === service)?.client
  // An archive of another version may have what this one does not know.
  if (!client || body.collection === EVENT_COLLECTION) throw invalid({ collection: [messageOf('unknown_collection')] })
  const { refused } = await client.put({ body: { account_id, event_id, from_account_id, collection, documents } })
  const differing = refused.map(({ _id }) => messageOf('records_differ', { collection: body.collection, id: _id }))
  if (differing.length > 0) throw invalid({ documents: differing })
  return shown(event)
}
