import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { type links, linkTimeErrors } from './resource.ts'
import { duplicateErrors, errorsOf, refuseDuplicate, withId } from './validation.ts'

type Create = (typeof links)['actions']['create']

/** Lets a guest category enter a check-in point. */
export async function create(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, newId }: Call<Create>,
): Promise<Output<Create>> {
  const { links, changeLog } = dependencies
  const _id = newId()
  const errors = { ...(await errorsOf(dependencies, event_id, given)), ...linkTimeErrors(given) }
  const body = await accept(errors, () => duplicateErrors(links, event_id, given, _id))
  const inserted = links.insert({ _id, event_id, ...body, ...newTimes() })
  const link = await changeLog.adding(event_id, { rights: true }, inserted).catch(refuseDuplicate)
  // The category may have been deleted, with its links, between the check and the insert.
  const later = await errorsOf(dependencies, event_id, body)
  if (Object.keys(later).length === 0) return withId(link)
  await changeLog.adding(event_id, { rights: true }, links.delete(event_id, link._id))
  throw invalid(later)
}
