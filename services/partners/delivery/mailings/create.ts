import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Mailing, mailings } from './resource.ts'
import { shown } from './shown.ts'
import { errorsOf } from './validation.ts'

/** Creates a mailing. */
export async function create(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, newId }: Call<(typeof mailings)['actions']['create']>,
): Promise<Mailing> {
  const body = await accept(await errorsOf(dependencies, event_id, given, null))
  return shown(dependencies, await dependencies.mailings.insert({ _id: newId(), ...body, event_id, ...newTimes() }))
}
