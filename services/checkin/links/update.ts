import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { type links, linkTimeErrors } from './resource.ts'
import { duplicateErrors, errorsOf, refuseDuplicate, withId } from './validation.ts'

type Update = (typeof links)['actions']['update']

/** Changes a link. */
export async function update(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<Update>,
): Promise<Output<Update>> {
  const { links, changeLog } = dependencies
  const current = await links.get(event_id, id)
  const changed = { ...current, ...given }
  const errors = { ...(await errorsOf(dependencies, event_id, given)), ...linkTimeErrors(changed) }
  const body = await accept(errors, () => duplicateErrors(links, event_id, changed, id))
  const updated = links.update(event_id, id, body)
  return withId(found(await changeLog.adding(event_id, { rights: true }, updated).catch(refuseDuplicate)))
}
